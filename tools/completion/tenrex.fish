# Completion of tenrex for fish. Commands and options come from the help texts, so this file names none of them.
function __tenrex_commands
    tenrex --help | string match -r '^  [a-z]+ +[A-Z].*' | string trim | string replace -r '^(\S+)\s+(.*)$' '$1\t$2'
end

function __tenrex_options
    set -l words (commandline -opc)
    test (count $words) -ge 2; or return
    tenrex $words[2] --help | string match -r '^  (?:-\w,)?--[\w-]+.*' | string trim \
        | string replace -r '^(?:-\w,)?(--[\w-]+)(?: [A-Z=:]+)?\s*(.*)$' '$1\t$2'
end

complete -c tenrex -f
complete -c tenrex -n 'test (count (commandline -opc)) -eq 1' -a '(__tenrex_commands)'
complete -c tenrex -n 'string match -q -- "-*" (commandline -ct)' -a '(__tenrex_options)'
complete -c tenrex -n 'contains -- (commandline -opc)[2] rank check; or contains -- (commandline -opc)[-1] -f --file -o --output --query --queries --texts' -F
