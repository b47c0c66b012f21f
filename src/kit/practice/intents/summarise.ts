import { type Digest, digestOf } from '../digest.ts'
import { filesIn, outputIn } from '../names-in-text.ts'
import { reportTrouble } from '../outcome.ts'
import { type ReadText, reading } from '../reading.ts'
import { doneCalls, type Intent, resultOf, type Situation, type Step } from '../situation.ts'

const asks =
  /\bsummari[sz]e\b|\bsum up\b|\btl;?dr\b|\b(?:write|make|create|give|prepare)\b.*\b(?:summary|overview|digest)\b|\banaly[sz]e\b|总结|摘要|概括|分析/i
const maxFiles = 20

/**
 * The files to read: those that were named, those that came with the message, or all uploads; undefined: look for them
 * first.
 */
function sourcesOf(situation: Situation): string[] | undefined {
  const output = outputIn(situation.text, '')
  const named = filesIn(situation.text, situation).filter((path) => path !== output && !path.startsWith('outputs/'))
  if (named.length > 0) return named
  const uploads = situation.newUploads.length > 0 ? situation.newUploads : situation.uploads
  if (uploads.length > 0) return uploads.map(({ path }) => path).slice(0, maxFiles)
  const found = resultOf(situation, 'find_files')
  if (found === undefined) return undefined
  return [...found.matchAll(/^\W*(uploads\/.+?\.\w+)(?= {2}|$)/gm)].map(([, path = '']) => path).slice(0, maxFiles)
}

const reportOf = (digests: Digest[]) =>
  ['# Summary', ...digests.map(({ path, section }) => `## ${path.replace(/^uploads\//, '')}\n\n${section}`)]
    .join('\n\n')
    .concat('\n')

const headlines = (digests: Digest[]) => digests.map(({ path, headline }) => `- \`${path}\`: ${headline}`).join('\n')

const notRead = (failed: { path: string; reason: string }[]) =>
  failed.map(({ path, reason }) => `\n- \`${path}\` could not be read: ${reason.split('\n', 1)[0]}`).join('')

function answer(situation: Situation, texts: ReadText[], failed: { path: string; reason: string }[]): Step {
  const digests = texts.map(digestOf)
  const toFile =
    /\b(?:uploads|uploaded|files|everything)\b|文件/i.test(situation.text) || outputIn(situation.text, '') !== ''
  const single =
    texts.length === 1 && filesIn(situation.text, situation).length > 0 && outputIn(situation.text, '') === ''
  if (single || !toFile)
    return { text: digests.map(({ path, section }) => `**${path}**\n\n${section}`).join('\n\n') + notRead(failed) }

  const path = outputIn(situation.text, 'outputs/summary.md')
  const written = doneCalls(situation, 'write_file').at(-1)
  if (written === undefined) {
    return {
      text: 'I have read them and write down what I found.',
      calls: [{ name: 'write_file', input: { path, content: reportOf(digests) } }],
    }
  }
  if (written.outcome.kind !== 'done') return { text: reportTrouble('write_file', written.outcome) }
  const count = texts.length === 1 ? 'one file' : `${texts.length} files`
  return { text: `I read ${count} and wrote \`${path}\`.\n\n${headlines(digests)}${notRead(failed)}` }
}

export const summarise: Intent = {
  name: 'summarise',
  example: 'summarise the uploaded files (drop a CSV or Markdown file first)',
  handlesFailures: true,
  matches: (text, situation) => asks.test(text) || (text === '' && situation.newUploads.length > 0),
  next(situation) {
    const sources = sourcesOf(situation)
    if (sources === undefined) return { text: '', calls: [{ name: 'find_files', input: { pattern: 'uploads/**' } }] }
    if (sources.length === 0)
      return { text: 'There are no uploaded files here yet. Add some to a message and ask me again.' }
    const read = reading(sources, situation)
    if ('calls' in read) return { text: situation.rounds.length === 0 ? 'Let me read them.' : '', calls: read.calls }
    if (read.texts.length === 0) {
      return {
        text: reportTrouble('read_file', { kind: 'failed', text: read.failed.map(({ reason }) => reason).join('\n') }),
      }
    }
    return answer(situation, read.texts, read.failed)
  },
}
