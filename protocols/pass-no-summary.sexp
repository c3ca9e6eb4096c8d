; PASS without its summary (the ablation of Crouse et al. 2023): as pass, but the environment
; answers a group of actions with their raw results instead of a summary. The model asks for them by
; writing [Observation] alone.
(define pass-no-summary
  (:states
    (question      (:text "[Question]"))
    (plan          (:text "[Thought]"))
    (action        (:text "[Action]"))
    (action-input  (:text "[Action Input]"))
    (observation   (:text "[Observation]") (:flags :env-input))
    (final-thought (:text "[Final Thought]"))
    (answer        (:text "[Answer]")))
  (:behavior
    (next question
          (until (next plan (until (next action action-input) observation)) final-thought)
          answer)))
