; Direct answering (Crouse et al. 2023, section 4): the question comes with the prompt, the model
; answers at once.
(define direct
  (:states
    (question (:text "[Question]"))
    (answer   (:text "[Answer]")))
  (:behavior (next question answer)))
