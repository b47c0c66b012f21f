import { type FileBytes, viewOf } from './file-bytes.ts'
import { oleNames } from './ole-names.ts'
import { mimetypeOf, namesInHead, zipNames } from './zip-names.ts'

/** What a container, a zip archive or an OLE file, holds, by the names in it. Nothing is unpacked. */
export interface Inside {
  container: 'application/zip' | 'application/x-cfb'
  /** Undefined: nothing known, which is certain if `isSure`. */
  type: string | undefined
  isSure: boolean
  /** Macros in an Office document. */
  hasMacros: boolean
  /** An archive that contains an app for macOS. */
  hasApp: boolean
}

const ooxml = 'application/vnd.openxmlformats-officedocument'

/** Undefined for anything that isn't a container. Without `file`, only the beginning is checked. */
export async function insideOf(head: Uint8Array, file?: FileBytes): Promise<Inside | undefined> {
  const mark = viewOf(head).toString('latin1', 0, 8)
  if (mark.startsWith('PK\x03\x04') || mark.startsWith('PK\x05\x06')) return insideZip(head, file)
  return mark === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' ? insideOle(file) : undefined
}

async function insideZip(head: Uint8Array, file: FileBytes | undefined): Promise<Inside> {
  const listed = file && (await zipNames(file))
  const names = [...new Set([...(listed?.names ?? []), ...namesInHead(head)])]
  return {
    container: 'application/zip',
    type: officeType(names) ?? declaredType(head) ?? programType(names),
    isSure: listed?.all === true,
    hasMacros: names.some((name) => /(^|\/)(vbaproject\.bin|macrosheets\/.)/i.test(name)),
    hasApp: names.some((name) => name.includes('.app/Contents/MacOS/')),
  }
}

const officeTypes: [main: string, folder: string, type: string][] = [
  ['word/document.xml', 'word/', `${ooxml}.wordprocessingml.document`],
  ['xl/workbook.xml', 'xl/', `${ooxml}.spreadsheetml.sheet`],
  ['xl/workbook.bin', 'xl/', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  ['ppt/presentation.xml', 'ppt/', `${ooxml}.presentationml.presentation`],
]

function officeType(names: string[]): string | undefined {
  if (!names.includes('[Content_Types].xml')) return undefined
  const byMain = officeTypes.find(([main]) => names.includes(main))
  // Some programs use another name for their main part.
  const found = byMain ?? officeTypes.find(([, folder]) => names.some((name) => name.startsWith(folder)))
  return found?.[2]
}

function declaredType(head: Uint8Array): string | undefined {
  const type = mimetypeOf(head)
  return type !== undefined && /^application\/(vnd\.oasis\.opendocument\.[a-z-]+|epub\+zip)$/.test(type)
    ? type
    : undefined
}

function programType(names: string[]): string | undefined {
  if (names.includes('AndroidManifest.xml')) return 'application/vnd.android.package-archive'
  const isJava = names.includes('META-INF/MANIFEST.MF') && names.some((name) => name.endsWith('.class'))
  return isJava ? 'application/java-archive' : undefined
}

const oleTypes: [stream: string, type: string][] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ['VisioDocument', 'application/vnd.visio'],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
]

const macroNames = new Set(['Macros', 'VBA', '_VBA_PROJECT', '_VBA_PROJECT_CUR'])

async function insideOle(file: FileBytes | undefined): Promise<Inside> {
  const { names, isInstaller } = file ? await oleNames(file) : { names: [], isInstaller: false }
  const type = oleTypes.find(([stream]) => names.includes(stream))?.[1]
  return {
    container: 'application/x-cfb',
    type: isInstaller ? 'application/x-msi' : type,
    // A document with a password is a container around something that can't be identified.
    isSure: names.length > 0 && !names.includes('EncryptedPackage'),
    hasMacros: names.some((name) => macroNames.has(name)),
    hasApp: false,
  }
}
