; Reflexion (Shinn et al. 2023) as specified in figure 12 of Crouse et al. 2023: ReAct rounds end in
; a final thought and a proposed answer, the environment evaluates it, the model reflects and starts
; over; the answer ends the run. ReAct is nested inside propose, evaluate, reflect.
(define reflexion
  (:states
    (question        (:text "[Question]"))
    (thought         (:text "[Thought]"))
    (action          (:text "[Action]"))
    (action-input    (:text "[Action Input]"))
    (observation     (:text "[Observation]") (:flags :env-input))
    (final-thought   (:text "[Final Thought]"))
    (proposed-answer (:text "[Proposed Answer]"))
    (evaluation      (:text "[Evaluation]") (:flags :env-input))
    (reflection      (:text "[Reflection]"))
    (answer          (:text "[Answer]")))
  (:behavior
    (next question
          (until (next (until (next thought action action-input observation) final-thought)
                       proposed-answer
                       evaluation
                       reflection)
                 answer))))
