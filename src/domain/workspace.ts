/** An entry of a workspace. `path` is relative to its root, with forward slashes; `size` in bytes; times in ms. */
export interface WorkspaceEntry {
  path: string
  kind: 'file' | 'directory' | 'other'
  size: number
  modifiedAt: number
  /** Tells a file from another one that takes its place. */
  inode: number
}

/**
 * A session's directory: `skills/` (read-only), `uploads/`, `outputs/`, `temp/`. Paths are relative to its root. Every
 * method throws a Failure with code `path_refused`, whose text the model can read, for anything outside, absolute
 * paths, `..`, NUL and links (even ones that are swapped in meanwhile).
 */
export interface Workspace {
  /** Absolute path, for people and the sandbox. Tools must not join paths to it. */
  readonly root: string
  /** The one way to write a path: no `./`, no double slashes, Unicode as it is. Throws `path_refused`. */
  normalize(path: string): string
  stat(path: string): Promise<WorkspaceEntry | undefined>
  /** Throws `not_found`, `not_a_file`, `too_large` (over `maxBytes`). */
  read(path: string, maxBytes?: number): Promise<Buffer>
  /** A part of a file that is too large to read whole. Shorter at the end of the file. */
  readRange(path: string, offset: number, length: number): Promise<Buffer>
  /**
   * Replaces the file completely or not at all, even in a power failure. Creates parent folders. Only in uploads/,
   * outputs/, temp/. `exclusive` throws `exists` when the name is taken.
   */
  write(
    path: string,
    content: string | Uint8Array | AsyncIterable<Uint8Array>,
    options?: { exclusive?: boolean },
  ): Promise<void>
  /** The entries of one folder, sorted by name. Throws `not_found`, `not_a_folder`. */
  list(path: string): Promise<WorkspaceEntry[]>
  /**
   * All files below a folder. Links aren't followed; hidden files, .git, node_modules and __pycache__ are left out
   * unless `all`.
   */
  walk(path: string, options?: { all?: boolean }): AsyncIterable<WorkspaceEntry>
  /** Call after a command has written: usage is measured again before the next write. */
  remeasure(): void
  /** Runs `work` while nobody else does so for the same path, so that read, change and write are one. */
  exclusively<T>(path: string, work: () => Promise<T>): Promise<T>
  /** Runs `work` while nobody replaces these files here: until it is over, `write` throws `in_use` for them. */
  holding<T>(paths: readonly string[], work: () => Promise<T>): Promise<T>
}
