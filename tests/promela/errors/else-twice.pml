/* Two else in one selection. */
init {
  if
  :: else -> skip
  :: else -> skip
  fi
}
