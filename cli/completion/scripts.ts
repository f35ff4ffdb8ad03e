export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * What a shell reads once: from then on it asks `greenlight __complete` with the words up to the cursor, and gets a word
 * and a tab and what it means on each line. Where none comes, it offers file names.
 */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `_greenlight() {
  local IFS=$'\\n'
  COMPREPLY=($(greenlight __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _greenlight greenlight
`,
  zsh: `#compdef greenlight
_greenlight() {
  local -a found
  found=("\${(@f)$(greenlight __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "\${found[1]}" ]]; then
    _files
    return
  fi
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  _describe 'greenlight' found
}
if [[ "\${funcstack[1]}" == _greenlight ]]; then
  _greenlight "$@"
else
  compdef _greenlight greenlight
fi
`,
  fish: `function __greenlight_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (greenlight __complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c greenlight -f -a '(__greenlight_complete)'
`,
};
