; One attempt that is a whole Verus file: the harness shows the task, the model writes the complete
; file after [File] and ends with [QED].
(define whole-file
  (:states
    (task (:text "[Task]") (:flags :env-input))
    (file (:text "[File]") (:content verus-file))
    (qed  (:text "[QED]")  (:content empty)))
  (:behavior (next task file qed)))
