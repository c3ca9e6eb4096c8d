; PASS, plan-act-summarize-solve, as specified in figure 5 of Crouse et al. 2023: a plan, then a
; group of independent actions that the environment runs at once and answers with one summary, as
; often as needed, until a final thought and the answer. Within a group both the model (another
; action) and the environment (the summary) may come next: the model asks for the summary by
; writing [Summary] alone.
(define pass
  (:states
    (question      (:text "[Question]"))
    (plan          (:text "[Thought]"))
    (action        (:text "[Action]"))
    (action-input  (:text "[Action Input]"))
    (summary       (:text "[Summary]") (:flags :env-input))
    (final-thought (:text "[Final Thought]"))
    (answer        (:text "[Answer]")))
  (:behavior
    (next question
          (until (next plan (until (next action action-input) summary)) final-thought)
          answer)))
