# Completion of tenrex for bash.
_tenrex() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W 'eval type explain bench repl playground rank check predict model metrics tokenize embed functions --help --version' -- "$word"))
        return
    fi
    case $previous in
        --color) COMPREPLY=($(compgen -W 'auto always never' -- "$word")); return ;;
        --isa) COMPREPLY=($(compgen -W 'baseline avx2 avx512 native' -- "$word")); return ;;
        --pooling) COMPREPLY=($(compgen -W 'mean cls max' -- "$word")); return ;;
        --cells) COMPREPLY=($(compgen -W 'float int8 bits' -- "$word")); return ;;
        --unseen) COMPREPLY=($(compgen -W 'missing error' -- "$word")); return ;;
        --dialect) COMPREPLY=($(compgen -W 'core java' -- "$word")); return ;;
        --format)
            local formats='literal verbose json hex binary table'
            [[ $command == rank ]] && formats='table jsonl trec'
            COMPREPLY=($(compgen -W "$formats" -- "$word"))
            return ;;
        --file | -f | --tokenizer | --texts | --feature-map | --query | --queries | --run | --output | -o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    esac
    if [[ $word == -* ]]; then
        local options
        case $command in
            eval) options='--type --precision --model --format --dialect --seed --file --reference --time --jsonl --line-limit --color --help' ;;
            type) options='--file --dialect --precision --model --color --help' ;;
            explain) options='--query --document --constant --precision --model --isa --disable --file --dialect --why --graph --dot --color --help' ;;
            bench) options='--query --document --constant --labels --length --documents --block --threads --threads-per-block --runs --precision --model --isa --disable --seed --file --dialect --reference --no-check --profile --json --color --help' ;;
            repl) options='--json --precision --model --dialect --format --seed --reference --color --help' ;;
            playground) options='--port --address --seconds --memory --answer --color --help' ;;
            rank) options='--profile-name --attribute --feature --nearest --index --input --query --queries --text --embedder --cache --retrieve --column --hits --threads --format --output --features --skip-bad-documents --now --seed --profile --explain --color --help' ;;
            check) options='--profile-name --attribute --feature --nearest --index --color --help' ;;
            predict) options='--raw --block --contributions --unseen --feature-map --outputs --base-score --isa --reference --color --help' ;;
            model) options='--feature-map --outputs --base-score --expression --precision --check --least-cosine --run --output --reference --threads --prune-heads --texts --tokenizer --color --help' ;;
            metrics) options='--measure --per-query --color --help' ;;
            tokenize) options='--tokenizer --pair --bytes --plain --bare --cased --max-length --color --help' ;;
            embed) options='--model --output --resume --threads --pooling --normalize --prefix --dimensions --cells --max-length --cache --precision --isa --color --help' ;;
            functions) options='--color --help' ;;
        esac
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [[ $previous == *[=@] || $word == *[=@]* ]]; then
        # Behind NAME=@ come files; what the shell breaks words at is no part of the word to complete.
        local file=${word##*[=@]} prefix=
        [[ $word == @* && $COMP_WORDBREAKS != *@* ]] && prefix=@
        COMPREPLY=($(compgen -P "$prefix" -f -- "$file"))
    elif [[ $command == rank || $command == check || $command == predict || $command == model || $command == metrics || $command == tokenize || $command == embed ]]; then
        COMPREPLY=($(compgen -f -- "$word"))
    elif [[ $command == eval && " ${COMP_WORDS[*]} " == *' --jsonl '* ]]; then
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _tenrex tenrex
