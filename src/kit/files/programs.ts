import type { Inside } from './inside.ts'
import { extensionOf, isText } from './type.ts'

/** Files that run when they are opened, or are meant to be run. */
export interface Program {
  /** Such as `a program for Windows`. */
  words: string
  /** Plain text that a person can read, and that does nothing when it is opened as text. */
  isReadable: boolean
}

const byType = new Map(
  Object.entries({
    'application/java-archive': 'a program for Java',
    'application/java-vm': 'a program for Java',
    'application/vnd.android.package-archive': 'an app for Android',
    'application/x-apple-diskimage': 'a disk image for macOS (programs come in such)',
    'application/x-deb': 'an installer for Linux',
    'application/x-elf': 'a program for Linux',
    'application/x-mach-binary': 'a program for macOS',
    'application/x-ms-shortcut': 'a shortcut for Windows (it can start anything)',
    'application/x-msdownload': 'a program for Windows',
    'application/x-msi': 'an installer for Windows',
    'application/x-rpm': 'an installer for Linux',
  }),
)

/** Recognised by name alone: the content is text, or of no known form. */
const byExtension = new Map(
  Object.entries({
    bat: 'a command script for Windows',
    cmd: 'a command script for Windows',
    com: 'a program for Windows',
    cpl: 'a program for Windows',
    hta: 'an HTML application for Windows (it can do whatever a program can)',
    js: 'a JavaScript file (Windows runs it when it is opened)',
    jse: 'a script for Windows',
    lnk: 'a shortcut for Windows (it can start anything)',
    pif: 'a shortcut for Windows (it can start anything)',
    ps1: 'a PowerShell script',
    psm1: 'a PowerShell script',
    reg: 'a change to the Windows registry',
    scr: 'a program for Windows',
    vbe: 'a script for Windows',
    vbs: 'a script for Windows',
    wsf: 'a script for Windows',
    wsh: 'a script for Windows',
  }),
)

/** A text with such a name is usually just text: an address, a drawing's list of commands. */
const binaryOnly = new Set(['com', 'cpl', 'pif', 'scr'])

/** Undefined if it isn't a program. `type` is the file's real one. */
export function programIn(
  name: string,
  type: string,
  head: Uint8Array,
  inside: Inside | undefined,
): Program | undefined {
  const known = byType.get(type)
  if (known !== undefined) return { words: known, isReadable: false }
  if (inside?.hasApp) return { words: 'an archive with a program for macOS in it', isReadable: false }
  const text = isText(head)
  const extension = extensionOf(name)
  const called = byExtension.get(extension)
  if (called !== undefined && head.length > 0 && !(text && binaryOnly.has(extension))) {
    return { words: called, isReadable: text }
  }
  return isScript(head) ? { words: 'a script for Linux and macOS', isReadable: text } : undefined
}

/** It begins with its interpreter, perhaps after a byte order mark. */
function isScript(head: Uint8Array): boolean {
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  const line = Buffer.from(head.subarray(start, start + 40)).toString('latin1')
  return /^#! ?\//.test(line)
}
