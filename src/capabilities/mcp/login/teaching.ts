import type { JsonObject } from '../../../kit/json.ts'
import type { Services } from '../../../turn/port/scope.ts'
import type { KeptLogin } from '../port.ts'

export type Learn = Services['learnSecrets']

const secretNames = ['access_token', 'refresh_token', 'id_token', 'client_secret']

/** A login whose tokens are masked from the moment they are known: a server may repeat them anywhere. */
export const teaching = <Kept extends KeptLogin>(kept: Kept, server: string, learn: Learn): Kept => ({
  ...kept,
  async read() {
    const login = await kept.read()
    learn(secretsOf(server, login))
    return login
  },
  write(login) {
    learn(secretsOf(server, login))
    return kept.write(login)
  },
})

const secretsOf = (server: string, login: JsonObject = {}) =>
  Object.values(login).flatMap((part) =>
    Object.entries(part ?? {}).flatMap(([name, value]) =>
      secretNames.includes(name) ? [{ name: `${server} ${name.replace('_', ' ')}`, value: `${value}` }] : [],
    ),
  )
