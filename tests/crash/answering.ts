import { createInterface } from 'node:readline'
import { systemClock } from '../../src/kit/clock.ts'
import { Store } from '../../src/store/store.ts'
import { answer } from '../../src/trust/answer.ts'
import { rulesWith } from '../support/rules.ts'
import { shippedConfig } from '../support/shipped.ts'

// A separate process that answers requests at given instants: `<request> <milliseconds>` per line.

const [file = '', name = ''] = process.argv.slice(2)
const store = await Store.open(file, systemClock)
const rules = rulesWith({ questions: { who: ['anyone'] } })
const deps = { store, rules, isMember: async () => false, access: shippedConfig().access }
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const [request = '', at] = line.split(' ')
  while (Date.now() < Number(at)) {
    // A timer would wake up late by a random delay.
  }
  const by = { person: { id: name, name }, operator: false }
  const { kind } = await answer(deps, request, { kind: 'question', answer: `${name} was first` }, by)
  process.stdout.write(`${kind}\n`)
}
await store.close()
