; One attempt at a proof task. The harness shows the task; the model writes any number of lemma
; sections (items, placed before the target), one body section (the block of the target, braces
; included) and [QED]. Verus's answer is not part of this protocol: see proof-loop.
(define proof
  (:states
    (task  (:text "[Task]")  (:flags :env-input))
    (lemma (:text "[Lemma]") (:content verus-items))
    (body  (:text "[Body]")  (:content verus-block))
    (qed   (:text "[QED]")   (:content empty)))
  (:behavior (next task (until lemma body) qed)))
