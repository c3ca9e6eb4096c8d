; Up to five attempts at a proof task in one conversation. Each attempt may begin with a plan, then
; has any number of lemma sections, one body section and [Submit]; Verus's answer follows as
; environment input. After an answer the model attempts again or ends the run with [QED] (proved) or
; [Give Up]. Text after [Submit] itself is not allowed: the harness takes the turn there.
(define proof-loop
  (:states
    (task    (:text "[Task]")    (:flags :env-input))
    (plan    (:text "[Plan]"))
    (lemma   (:text "[Lemma]")   (:content verus-items))
    (body    (:text "[Body]")    (:content verus-block))
    (submit  (:text "[Submit]")  (:content empty))
    (verus   (:text "[Verus]")   (:flags :env-input))
    (qed     (:text "[QED]")     (:content empty))
    (give-up (:text "[Give Up]") (:content empty)))
  (:behavior
    (next task
          (until_1_5 (next (until_1 plan (until lemma body)) submit verus)
                     (or qed give-up)))))
