/* No such directive. */
#defin N 3
init { skip }
