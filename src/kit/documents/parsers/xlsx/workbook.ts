import { damaged } from '../../parse.ts'
import { type Attributes, scanXml, scanXmlPieces } from '../../scan-xml.ts'
import type { Zip } from '../../zip.ts'
import { raised, struck } from '../text/marks.ts'
import { isOn } from './styles.ts'

export interface SheetEntry {
  name: string
  visibility: 'visible' | 'hidden' | 'very hidden'
  /** The part of the package that contains it. Undefined if nothing says which. */
  path?: string
  kind: 'sheet' | 'chart' | 'other'
}

export interface Workbook {
  sheets: SheetEntry[]
  is1904: boolean
  /** `name: what it stands for`. */
  definedNames: string[]
}

export interface Relation {
  /** The last word of its type: `worksheet`, `comments`. */
  type: string
  path: string
}

/** The parts of a package by name; case and slashes of names differ between producers. */
export class Package {
  readonly #zip: Zip
  readonly #names: Map<string, string>

  constructor(zip: Zip) {
    this.#zip = zip
    this.#names = new Map(zip.entries.map(({ name }) => [plain(name), name]))
  }

  has(path: string): boolean {
    return this.#names.has(plain(path))
  }

  find(matches: (path: string) => boolean): string | undefined {
    return [...this.#names.keys()].find(matches)
  }

  /** Undefined when there is no such part. */
  async read(path: string): Promise<Buffer | undefined> {
    const name = this.#names.get(plain(path))
    return name === undefined ? undefined : this.#zip.read(name)
  }

  /** The same, piece by piece; see `Zip.pieces`. */
  pieces(path: string, again = false): AsyncGenerator<Buffer> | undefined {
    const name = this.#names.get(plain(path))
    return name === undefined ? undefined : this.#zip.pieces(name, again)
  }

  /** What a part refers to, by id: other parts, or with `isExternal` addresses outside. */
  async relations(path: string, isExternal = false): Promise<Map<string, Relation>> {
    const slash = path.lastIndexOf('/')
    const folder = path.slice(0, slash + 1)
    const relations = new Map<string, Relation>()
    const xml = await this.read(`${folder}_rels/${path.slice(slash + 1)}.rels`)
    if (xml === undefined) return relations
    scanXml(xml, {
      open(name, attributes) {
        const id = attributes.get('Id')
        const target = attributes.get('Target')
        if (name !== 'Relationship' || id === undefined || target === undefined) return
        if ((attributes.get('TargetMode') === 'External') !== isExternal) return
        const type = attributes.get('Type')?.split('/').at(-1) ?? ''
        relations.set(id, { type, path: isExternal ? target : resolved(folder, target) })
      },
    })
    return relations
  }
}

const plain = (path: string): string => path.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()

function resolved(folder: string, target: string): string {
  const steps: string[] = []
  for (const step of (target.startsWith('/') ? target : folder + target).split(/[/\\]/)) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/** Where the workbook's main part is. Throws `damaged` if there is none. */
export async function workbookPath(file: Package): Promise<string> {
  const main = [...(await file.relations('')).values()].find(({ type }) => type === 'officeDocument')?.path
  const path = [main, 'xl/workbook.xml'].find((path) => path !== undefined && file.has(path))
  const found = path ?? file.find((path) => path.endsWith('workbook.xml') || path.endsWith('workbook.bin'))
  if (found === undefined) throw damaged('its workbook is missing')
  return found
}

export async function readWorkbook(file: Package, path: string): Promise<Workbook> {
  const relations = await file.relations(path)
  const workbook: Workbook = { sheets: [], is1904: false, definedNames: [] }
  let definedName: string | undefined
  scanXml((await file.read(path)) ?? Buffer.alloc(0), {
    open(name, attributes) {
      if (name === 'workbookPr') workbook.is1904 = attributes.flag('date1904')
      if (name === 'sheet') {
        const relation = relations.get(attributes.get('id', true) ?? '')
        const number = workbook.sheets.length + 1
        const guessed = `xl/worksheets/sheet${number}.xml`
        workbook.sheets.push({
          name: attributes.get('name') ?? `Sheet${number}`,
          visibility: visibilityOf(attributes.get('state')),
          path: relation?.path ?? (file.has(guessed) ? guessed : undefined),
          kind: kindOf(relation?.type),
        })
      }
      if (name === 'definedName' && !attributes.flag('hidden')) definedName = attributes.get('name') ?? ''
    },
    text(text) {
      if (definedName === undefined || definedName === '' || definedName.startsWith('_xlnm.')) return
      workbook.definedNames.push(`${definedName}: ${text.slice(0, 200)}`)
      definedName = ''
    },
    close(name) {
      if (name === 'definedName') definedName = undefined
      return true
    },
  })
  return workbook
}

const visibilityOf = (state: string | undefined): SheetEntry['visibility'] =>
  state === 'veryHidden' ? 'very hidden' : state === 'hidden' ? 'hidden' : 'visible'

function kindOf(type: string | undefined): SheetEntry['kind'] {
  if (type === undefined || type === 'worksheet') return 'sheet'
  return type === 'chartsheet' ? 'chart' : 'other'
}

/** The texts that cells refer to by number. */
export async function readSharedStrings(pieces: AsyncIterable<Uint8Array>): Promise<Shown[]> {
  const strings: Shown[] = []
  const text = new CellText()
  await scanXmlPieces(pieces, {
    open: (name, attributes) => text.open(name, attributes),
    text: (piece) => text.add(piece),
    close(name) {
      text.close(name)
      if (name === 'si') strings.push(text.takeOfCell())
      return true
    },
  })
  return strings
}

/** Rich text is `inStruck` where the font of its cell is struck out: runs with a font of their own may not be. */
export type Shown = string | { text: string; inStruck: string }

/** Joins the runs of a rich text; pronunciations (`rPh`) are left out. */
export class CellText {
  readonly #runs = new Runs()
  readonly #runsInStruck = new Runs()
  #run = ''
  #isText = false
  #isPhonetic = false
  #isRaised = false
  /** Undefined: as the cell. */
  #isStruck: boolean | undefined
  #hasFonts = false

  open(name: string, attributes: Attributes): void {
    if (name === 'rPr') {
      this.#hasFonts = true
      this.#isStruck = false
    }
    if (name === 'vertAlign') this.#isRaised = attributes.get('val') === 'superscript'
    if (name === 'strike') this.#isStruck = isOn(attributes)
    if (name === 't') this.#isText = true
    if (name === 'rPh') this.#isPhonetic = true
  }

  add(piece: string): void {
    if (this.#isText && !this.#isPhonetic) this.#run += piece
  }

  close(name: string): void {
    if (name === 't') {
      this.#isText = false
      this.#endRun()
    }
    if (name === 'r') {
      this.#isRaised = false
      this.#isStruck = undefined
    }
    if (name === 'rPh') this.#isPhonetic = false
  }

  #endRun(): void {
    const text = this.#isRaised ? raised(this.#run) : this.#run
    this.#run = ''
    this.#runs.add(text, this.#isStruck ?? false)
    this.#runsInStruck.add(text, this.#isStruck ?? true)
  }

  take(): string {
    const shown = this.takeOfCell()
    return typeof shown === 'string' ? shown : shown.text
  }

  takeOfCell(): Shown {
    const text = unescaped(this.#runs.take())
    const inStruck = this.#runsInStruck.take()
    const isRich = this.#hasFonts && text !== ''
    this.#hasFonts = false
    return isRich ? { text, inStruck: unescaped(inStruck) } : text
  }
}

class Runs {
  #text = ''
  /** What comes after it, struck out. */
  #struck = ''

  add(text: string, isStruck: boolean): void {
    if (isStruck) this.#struck += text
    else this.#text += this.#takeStruck() + text
  }

  take(): string {
    const text = this.#text + this.#takeStruck()
    this.#text = ''
    return text
  }

  #takeStruck(): string {
    const text = struck(this.#struck)
    this.#struck = ''
    return text
  }
}

/** Excel writes control characters as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

export const oneLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(' ')
    .trim()
