import type { Intent } from '../situation.ts'
import { ran, runOnce } from './run.ts'

const asks = /\b(?:run|execute|run_script)\b|运行|执行/i
const block = /```([^\n`]{0,30})\n([\s\S]*?)\n?```/

const languages: Record<string, 'python' | 'node' | 'bash'> = {
  python: 'python',
  python3: 'python',
  py: 'python',
  javascript: 'node',
  js: 'node',
  node: 'node',
  bash: 'bash',
  sh: 'bash',
  shell: 'bash',
}

const shown = { python: 'Python', node: 'JavaScript', bash: 'bash' }

/** A fenced block to be run: its language says with what. */
export const runScript: Intent = {
  name: 'run script',
  example: '@run_script run this (with a block of python, bash or js below)',
  matches: (text) => {
    const [around = ''] = text.split('```', 1)
    return text.includes('```') && asks.test(`${around} ${text.slice(text.lastIndexOf('```') + 3)}`)
  },
  next(situation) {
    const [, word = '', code = ''] = block.exec(situation.text) ?? []
    if (code.trim() === '') return { text: 'I found no whole block of code in that. Put it between two lines of ```.' }
    const named = word.trim().toLowerCase()
    const language = Object.hasOwn(languages, named) ? languages[named] : undefined
    if (language === undefined) {
      return { text: 'Which language is that? Write python, bash or js behind the first ```, and send it again.' }
    }
    const call = { name: 'run_script', input: { language, code } }
    return runOnce(situation, call, (result) => ran(`the ${shown[language]} script`, result))
  },
}
