; ReAct (Yao et al. 2022) as specified in figure 3 of Crouse et al. 2023: rounds of thought, action
; and action input, each answered by the environment with an observation, until a final thought and
; the answer. The question comes with the prompt.
(define react
  (:states
    (question      (:text "[Question]"))
    (thought       (:text "[Thought]"))
    (action        (:text "[Action]"))
    (action-input  (:text "[Action Input]"))
    (observation   (:text "[Observation]") (:flags :env-input))
    (final-thought (:text "[Final Thought]"))
    (answer        (:text "[Answer]")))
  (:behavior
    (next question
          (until (next thought action action-input observation) final-thought)
          answer)))
