; ReWOO (Xu et al. 2023) as specified in figure 11 of Crouse et al. 2023: the model writes a whole
; plan of labelled actions without seeing any result; the solver, which is environment input, runs
; them and writes the answer. The model asks for the solver by writing [Answer] alone.
(define rewoo
  (:states
    (question     (:text "[Question]"))
    (plan         (:text "[Plan]"))
    (action-label (:text "[Action Label]"))
    (action       (:text "[Action]"))
    (action-input (:text "[Action Input]"))
    (solver       (:text "[Answer]") (:flags :env-input)))
  (:behavior
    (next question
          (until (next plan action-label action action-input) solver))))
