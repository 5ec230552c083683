# What test_drivers.sh says of $work/results, lines of: driver, vectors, layer, part, verdict, seconds, reason. Sourced.

# The version of the driver, "Mesa 25.0.7", as the list of devices has it; empty where it has none.
name_of_driver() {
  cat "$work/logs/$1".*.devices.log 2> /dev/null | sed -n '/^vulkan:0 .*Mesa/s/.*\(Mesa [0-9][^ ),]*\).*/\1/p' | sed -n 1p
}

# A line for each driver, number of bits and layer, a column for each part, in the order of the jobs.
print_table() {
  local driver
  for driver in "${drivers[@]}"; do printf 'name\t%s\t%s\n' "$driver" "$(name_of_driver "$driver")"; done |
    awk -F '\t' -v jobs="$jobs" '
      function cell(key) { return !(key in verdict) ? "-" : verdict[key] == "not tried" ? verdict[key] : verdict[key] " " seconds[key] " s" }
      $1 == "name" { name[$2] = $3; next }
      { key = $1 " " $2 " " $3 " " $4; verdict[key] = $5; seconds[key] = $6 }
      END {
        number = split(jobs, line, "\n")
        for (i = 1; i <= number; i++) {
          split(line[i], job, " ")
          row = job[1] " " job[2] " " job[3]
          if (!(row in known)) { known[row] = 1; rows[++row_count] = row }
          if (!(job[4] in known)) { known[job[4]] = 1; parts[++part_count] = job[4] }
        }
        printf "\n%-12s %-20s %7s  %-8s", "driver", "", "vectors", "layer"
        for (p = 1; p <= part_count; p++) printf " %-13s", parts[p]
        print ""
        for (r = 1; r <= row_count; r++) {
          split(rows[r], job, " ")
          printf "%-12s %-20s %7s  %-8s", job[1], name[job[1]], job[2], job[3]
          for (p = 1; p <= part_count; p++) printf " %-13s", cell(rows[r] " " parts[p])
          print ""
        }
      }' - "$work/results"
}

# For each part that failed the end of what it printed, and for each that was not tried the reason.
print_failures() {
  local driver bits layer part verdict seconds said
  while IFS=$'\t' read -r driver bits layer part verdict seconds said; do
    case $verdict in
      FAILED)
        printf '\nFAILED %s %s %s %s: %s; the end of %s:\n' "$driver" "$bits" "$layer" "$part" "$said" "$work/logs/$driver.$bits.$layer.$part.log"
        tail -n 12 "$work/logs/$driver.$bits.$layer.$part.log" | cut -c 1-300 | sed 's/^/  /' ;;
      'not tried') echo "skipped $driver $bits $layer $part: $said" ;;
    esac
  done < <(sort "$work/results")
}

print_count() {
  local count
  count() { cut -f 5 "$work/results" | grep -c -x "$1" || true; }
  echo
  echo "$(count ok) passed, $(count FAILED) failed, $(count 'not tried') skipped"
  [ "$(count FAILED)" -eq 0 ]
}
