/** The command itself answers the shell, so completions are never out of date. */
import { Argument, type Command } from 'commander'
import type { Cli } from '../cli.ts'
import { withExamples } from '../with-examples.ts'

/** Each calls `svc __complete` with the words up to the cursor. */
const scripts = {
  bash: `# svc completion for bash: source <(svc completion bash)
_svc() {
  local IFS=$'\\n' candidates current="\${COMP_WORDS[COMP_CWORD]}"
  candidates=$(svc __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  # A word of its own here, as in --state=.
  if [ "$current" = = ]; then current=; fi
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _svc svc
`,
  zsh: `#compdef svc
# svc completion for zsh: source <(svc completion zsh)
_svc() {
  local -a lines candidates
  local line
  lines=("\${(@f)$(svc __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); done
  if (( \${#candidates} )); then _describe 'svc' candidates; else _files; fi
}
# As a file in fpath it is the function that is asked.
if [ "\${funcstack[1]}" = _svc ]; then _svc; else compdef _svc svc; fi
`,
  fish: `# svc completion for fish: svc completion fish | source
function __svc_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates (svc __complete $words[2..-1] 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c svc -f -a '(__svc_complete)'
`,
} as const

export function completionCommand(program: Command, cli: Cli): void {
  withExamples(
    program.command('completion').description('Print the completion script of a shell.'),
    'completion bash > ~/.local/share/bash-completion/completions/svc',
    'completion fish > ~/.config/fish/completions/svc.fish',
  )
    .addArgument(new Argument('<shell>', 'which').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      cli.stdout.write(scripts[shell])
    })
}
