; Chain of thought (Wei et al. 2022) as specified in figure 13 of Crouse et al. 2023: one thought,
; then the answer. The question comes with the prompt.
(define cot
  (:states
    (question (:text "[Question]"))
    (thought  (:text "[Thought]"))
    (answer   (:text "[Answer]")))
  (:behavior (next question thought answer)))
