import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routing } from './hands.ts'

/** Writes a config directory: what differs from the shipped files. JSON is YAML. */
export async function writeConfig(
  directory: string,
  effectsUrl: string,
  engine: object,
  more: object = {},
): Promise<string> {
  const files = {
    'bobbin.yaml': {
      agent: { window_messages: 100 },
      // Kills are a hundred times as frequent as crashes, so a turn that they hit is not to blame.
      engine: { ...engine, crashes_at_step: 1_000 },
      ...more,
      plugins: [{ path: join(import.meta.dirname, 'plugin.ts'), options: { url: effectsUrl } }],
    },
    'models.yaml': {
      patience: {
        attempts: 20,
        base_delay_ms: 20,
        max_delay_ms: 200,
        first_output_timeout_ms: 10_000,
        idle_timeout_ms: 10_000,
      },
    },
    'agents.yaml': routing,
    'hitl_rules.yaml': {
      tools: {
        notify: { mode: 'auto' },
        notify_again: { mode: 'auto' },
        notify_asked: { mode: 'confirm', reason: 'It is asked.' },
      },
      untrusted: { action: 'allow' },
      // Anybody may decide here; other tests show who may.
      deciders: { team: { who: ['anyone'] } },
      questions: { who: ['anyone'] },
    },
  }
  await mkdir(directory, { recursive: true })
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), JSON.stringify(content))
  return directory
}
