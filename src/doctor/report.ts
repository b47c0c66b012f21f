import { broken, type Finding, type Findings } from '../domain/finding.ts'
import { reasonOf } from '../kit/failure.ts'
import { doctorWords } from './words.ts'

export interface CheckSection {
  title: string
  findings: Findings
}

const signs = { fine: '✓', mind: '!', broken: '✗' } as const

/** Writes each finding as it comes, with its remedy below. Resolves with whether something is broken. */
export async function report(
  sections: CheckSection[],
  secrets: string[],
  write: (text: string) => void,
): Promise<boolean> {
  const counts = { fine: 0, mind: 0, broken: 0 }
  for (const { title, findings } of sections) {
    write(`${title}\n`)
    for await (const { mark, fact, remedy } of unfailing(findings)) {
      counts[mark]++
      const lines = [`${signs[mark]} ${fact.replace(/\s+/g, ' ')}`, ...remedy.map((line) => `    ${line}`)]
      write(`${lines.map((line) => `  ${without(secrets, line)}\n`).join('')}`)
    }
    write('\n')
  }
  write(`${summary(counts)}\n`)
  return counts.broken > 0
}

/** A check that throws becomes a finding too. */
async function* unfailing(findings: Findings): AsyncGenerator<Finding> {
  try {
    yield* findings
  } catch (thrown) {
    yield broken(doctorWords.checkFailed({ reason: reasonOf(thrown) }), doctorWords.checkFailedRemedy())
  }
}

/** Checks never print tokens, but a server's answer might contain one. */
const without = (secrets: string[], line: string): string =>
  secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '***')), line)

function summary({ mind, broken }: { mind: number; broken: number }): string {
  const notes = mind === 1 ? '1 warning (!)' : `${mind} warnings (!)`
  if (broken > 0) return `${broken} broken (✗), ${notes}.`
  return mind > 0 ? doctorWords.noErrors({ notes }) : doctorWords.everythingFine()
}
