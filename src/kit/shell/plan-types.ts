/** One simple command, as far as it can be told without running it. */
export interface Invocation {
  /** The program's name without its directory, after `env`, `nice`, `command` and the like are looked through; '' if unknown. */
  program: string
  /** As written, such as `/usr/bin/env`, `./run.sh`. */
  as: string
  /** After quoting is taken away. One that cannot be told (it holds an expansion or a glob) is `undefined`. */
  args: (string | undefined)[]
  /** The variables set for it, such as `LD_PRELOAD`. */
  assigns: string[]
  /** Quoted so that a shell reads it as this again; where something is not known, the source. Patterns are matched against it. */
  text: string
  /** Script text that it gives to another interpreter in `args` or a heredoc, such as of `python3 -c`; not parsed further. */
  code: { language: string; text: string | undefined }[]
}

interface Redirection {
  operator: string
  /** `undefined` when it cannot be told. */
  target: string | undefined
}

/** What a bash command line would do, parsed and not searched. */
export interface CommandPlan {
  /** Every simple command anywhere in it, in substitutions, functions, `find -exec`, `xargs`, `bash -c` too; in order. */
  invocations: Invocation[]
  redirections: Redirection[]
  /** Files of the workspace whose content it runs: `./x`, `bash x`, `python3 x.py`, `source x`. As written, in order. */
  runs: string[]
  /** Every argument and target that looks like a path or an address, for rules; as far as known. */
  paths: string[]
  /** Network addresses and host names among the arguments of programs that reach out. */
  hosts: string[]
  /** Why it is not understood, as sentences without full stop; empty when everything is. */
  unclear: string[]
}

/** A word of a command in the small language: see `shell/plain.ts`. */
export interface PlainWord {
  /** After quoting is taken away. */
  value: string
  source: string
  /** Whether it is a glob; one that begins with a star may become anything, such as an option. */
  expands: 'no' | 'behind its beginning' | 'to anything'
}

/** A simple command in the small language. */
export interface PlainCommand {
  program: string
  words: PlainWord[]
  redirections: { operator: string; target: string }[]
  /** As in `Invocation`. */
  text: string
  /** Called like this, the program only reads and prints, as far as it is known. */
  isPlainUse: boolean
}
