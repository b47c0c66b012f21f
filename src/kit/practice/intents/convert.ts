import { filesIn, outputIn } from '../names-in-text.ts'
import { reading } from '../reading.ts'
import { callOnce, type Intent, type Situation } from '../situation.ts'
import { parseTable, toJson, toMarkdown } from '../table.ts'

const asks = /\b(?:convert|turn|transform|export)\b|转换|转成|转为/i
const isTable = /\.(csv|tsv|xlsx)$/i

function sourceOf(situation: Situation): string | undefined {
  const named = filesIn(situation.text, situation).find((path) => isTable.test(path))
  return named ?? situation.uploads.findLast(({ path }) => isTable.test(path))?.path
}

export const convert: Intent = {
  name: 'convert',
  example: 'convert #sales.csv to JSON (or to a Markdown table)',
  matches: (text, situation) => asks.test(text) && sourceOf({ ...situation, text }) !== undefined,
  next(situation) {
    const source = sourceOf(situation) ?? ''
    const json = /\bjson\b/i.test(situation.text)
    const read = reading([source], situation)
    if ('calls' in read) return { text: '', calls: read.calls }

    const [file] = read.texts
    const table = parseTable(file?.text ?? '')
    const stem = source.replace(/^.*\//, '').replace(/\.\w+$/, '')
    const path = outputIn(situation.text, `outputs/${stem}.${json ? 'json' : 'md'}`)
    const content = `${json ? toJson(table) : toMarkdown(table)}\n`
    const partly = file?.goesOn || file?.hasCutLines ? ' I couldn’t read all of it, so a part is missing.' : ''
    return callOnce(
      situation,
      { name: 'write_file', input: { path, content } },
      () => `I converted ${table.rows.length} rows of \`${source}\` and wrote \`${path}\`.${partly}`,
    )
  },
}
