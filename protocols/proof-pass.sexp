; PASS on a proof task: up to five rounds of a plan and a group of independent actions (look up a
; lemma, let Verus check a candidate) that the environment runs at once and answers with one summary;
; then the proof itself, as in the protocol proof. The model asks for the summary by writing
; [Summary] alone.
(define proof-pass
  (:states
    (task         (:text "[Task]") (:flags :env-input))
    (plan         (:text "[Plan]"))
    (action       (:text "[Action]"))
    (action-input (:text "[Action Input]"))
    (summary      (:text "[Summary]") (:flags :env-input))
    (lemma        (:text "[Lemma]") (:content verus-items))
    (body         (:text "[Body]")  (:content verus-block))
    (qed          (:text "[QED]")   (:content empty)))
  (:behavior
    (next task
          (until_5 (next plan (until_1_8 (next action action-input) summary))
                   (until lemma body))
          qed)))
