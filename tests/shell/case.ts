/** A command line and what must be told of it. What is left out is not looked at, but for `unclear`: it must be empty. */
export interface Case {
  command: string
  /** All programs, in order. */
  programs?: string[]
  /** Programs that must be among them, where the rest does not matter. */
  among?: string[]
  /** A part of the reason why it is not understood; none means that it is. */
  unclear?: string
  runs?: string[]
  hosts?: string[]
  targets?: (string | undefined)[]
  args?: (string | undefined)[]
  languages?: string[]
}

/** Understood: the command and its programs, parted by spaces. */
export const clear = (command: string, programs: string, more: Omit<Case, 'command' | 'programs'> = {}): Case => ({
  command,
  programs: programs.split(' ').filter(Boolean),
  ...more,
})

/** Not understood, for this reason; these programs were seen all the same. */
export const vague = (command: string, unclear: string, among = ''): Case => ({
  command,
  unclear,
  among: among.split(' ').filter(Boolean),
})
