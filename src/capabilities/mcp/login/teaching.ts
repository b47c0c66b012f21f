import type { JsonObject } from '../../../kit/json.ts'
import type { Services } from '../../../turn/port/scope.ts'
import type { FiledLogin } from './kept.ts'

export type Learn = Services['learnSecrets']

const secretNames = ['access_token', 'refresh_token', 'id_token', 'client_secret']

/** A login whose tokens are masked from the moment they are known: a server may repeat them anywhere. */
export const teaching = <Kept extends FiledLogin>(kept: Kept, server: string, learn: Learn): Kept => ({
  ...kept,
  async read() {
    const login = await kept.read()
    learn(secretsOf(server, kept.file, login))
    return login
  },
  write(login) {
    learn(secretsOf(server, kept.file, login))
    return kept.write(login)
  },
})

/** `whose`: several logins to a server may have tokens at the same time. */
const secretsOf = (server: string, whose: string, login: JsonObject = {}) =>
  Object.values(login).flatMap((part) =>
    Object.entries(part ?? {}).flatMap(([name, value]) =>
      secretNames.includes(name) ? [{ name: `${server} ${name.replace('_', ' ')}`, value: `${value}`, whose }] : [],
    ),
  )
