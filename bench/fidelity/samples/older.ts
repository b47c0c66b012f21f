import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { read, write } from '@e965/xlsx'
import type { Sample } from '../sample.ts'
import type { Printed } from './printed.ts'

const program = '/usr/bin/soffice'
const olderNames = new Map([
  ['docx', 'doc'],
  ['xlsx', 'xls'],
  ['pptx', 'ppt'],
])

/** Office files as LibreOffice saves them in their older form, and workbooks in their binary one. */
export async function olderSamples(newer: readonly Sample[]): Promise<Printed> {
  const binary = newer
    .filter(({ kind }) => kind === 'xlsx')
    .map((sample): Sample => {
      const workbook = read(sample.bytes, { cellNF: true, cellStyles: true, cellDates: false })
      const bytes: Buffer = write(workbook, { bookType: 'xlsb', type: 'buffer' })
      return { ...sample, kind: 'legacy', feature: `.xlsb: ${sample.feature}`, name: 'sample.xlsb', bytes }
    })
  if (!existsSync(program))
    return { samples: binary, leftOut: [`Files of older programs are left out: there is no ${program}.`] }
  const folder = await mkdtemp(join(tmpdir(), 'bobbin-older-'))
  try {
    return { samples: [...binary, ...(await saved(newer, folder))], leftOut: [] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function saved(newer: readonly Sample[], folder: string): Promise<Sample[]> {
  const made: Sample[] = []
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  for (const [kind, older] of olderNames) {
    const samples = newer.filter((sample) => sample.kind === kind)
    const [from, to] = [join(folder, kind), join(folder, older)]
    await mkdir(from)
    const files = samples.map((_, index) => join(from, `${index}.${kind}`))
    for (const [index, { bytes }] of samples.entries()) await writeFile(files[index] ?? '', bytes)
    if (files.length > 0)
      await promisify(execFile)(program, ['--headless', profile, '--convert-to', older, '--outdir', to, ...files])
    for (const [index, sample] of samples.entries()) {
      const bytes = await readFile(join(to, `${index}.${older}`)).catch(() => undefined)
      if (bytes !== undefined)
        made.push({
          ...sample,
          kind: 'legacy',
          feature: `.${older}: ${sample.feature}`,
          name: `sample.${older}`,
          bytes,
        })
    }
  }
  return made
}
