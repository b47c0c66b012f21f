/** One simple command, as far as it is known without running it. */
export interface Invocation {
  /** The program's name without its directory, behind `env`, `nice`, `command` and the like; '' if unknown. */
  program: string
  /** As written, such as `/usr/bin/env`, `./run.sh`. */
  as: string
  /** With quoting removed. `undefined` if it can't be known (it contains an expansion or a glob). */
  args: (string | undefined)[]
  /** The variables set for it, such as `LD_PRELOAD`. */
  assigns: string[]
  /** Those of them whose value is a number, date or time. */
  numbers?: string[]
  /**
   * Quoted so that a shell reads it the same way again; if something isn't known, the source. Patterns are matched
   * against it.
   */
  text: string
  /**
   * Script text that it gives to another interpreter in `args` or a heredoc, such as for `python3 -c`; not parsed
   * further. `from`: the folders that JavaScript may run in, as far as known.
   */
  code: { language: string; text: string | undefined; from?: string[] }[]
}

interface Redirection {
  operator: string
  /** `undefined` if it isn't known. */
  target: string | undefined
  /** As written, if it isn't known. */
  source?: string
}

/** What a bash command line would do, found by parsing, not by searching. */
export interface CommandPlan {
  /**
   * Every simple command in it, in order, including those in substitutions, functions, `find -exec`, `xargs`, `bash
   * -c`.
   */
  invocations: Invocation[]
  redirections: Redirection[]
  /**
   * Files of the workspace whose content it runs: `./x`, `bash x`, `python3 x.py`, `source x`. As written, in order.
   */
  runs: string[]
  /** Folders that its paths leave with `..`. If one is a link, the kernel comes out elsewhere than the text says. */
  left: string[]
  /** It runs files in other folders than the one it starts in. */
  moves: boolean
  /** Every argument and target that looks like a path or an address, for rules, as far as known. */
  paths: string[]
  /** Network addresses and host names among the arguments of programs that use the network. */
  hosts: string[]
  /** Why it isn't understood, as sentences without full stop; empty if everything is. */
  unclear: string[]
}

/** A word of a command in the small language: see `shell/plain.ts`. */
export interface PlainWord {
  /** With quoting removed. */
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
  /** Called this way, the program only reads and prints, as far as is known. */
  isPlainUse: boolean
}
