import type { Config } from '../../config/config.ts'
import { withVariables } from '../../config/references.ts'
import { isSecretOption, secretsInAddress, secretsOf } from '../../kit/secrets/setting.ts'
import type { McpSettings, ServerSettings } from './settings.ts'

/** The secrets in the settings, with their variables put in; of a header with `Bearer …`, also what follows. */
export const secretsIn = ({ servers, logins }: McpSettings, variables: Config['variables']) => {
  const put = (text = '') => withVariables(text, variables)
  return [
    ...[...servers].flatMap(([server, settings]) => [
      ...ofServer(settings, put).map(({ name, value }) => ({ name: `${server} ${name}`, value })),
      ...clientSecret(server, put(settings.oauth.client_secret)),
    ]),
    ...loginKey(put(logins.key)),
    // A variable of a server that is switched off may have no value.
  ].filter(({ value }) => !value.includes('${'))
}

export const clientSecret = (server: string, value = '') => named(`${server} client secret`, value)
export const loginKey = (value = '') => named('key of MCP logins', value)

const named = (name: string, value: string) => (value === '' ? [] : [{ name, value }])

function ofServer({ env, headers, url, args }: ServerSettings, put: (text?: string) => string) {
  const given = Object.entries({ ...env, ...headers }).map(([name, value]) => ({ name, value: put(value) }))
  return [
    ...given.flatMap(({ name, value }) => secretsOf(name, value).map((one) => ({ name, value: one }))),
    ...secretsInAddress(put(url)).map((value) => ({ name: 'address', value })),
    ...secretsInArguments(args.map(put)),
  ].flatMap(({ name, value }) => {
    const [, bare = value] = /^(?:Basic|Bearer|Token) +(\S+)$/i.exec(value) ?? []
    return [...new Set([value, bare])].map((one) => ({ name, value: one }))
  })
}

/** Named by what stands before `=` or `:`, or by the option before it. Without such a name, most are ids. */
const secretsInArguments = (args: string[]) =>
  args.flatMap((arg, place) => {
    const [option = 'argument'] = /^-[\w-]+$/.exec(args[place - 1] ?? '') ?? []
    return inNamed(arg.startsWith('-') ? 'argument' : option, arg)
  })

/** `--header=Authorization: Bearer …` has two names. */
function inNamed(name: string, text: string): { name: string; value: string }[] {
  if (isSecretOption(name)) return secretsOf(name, text).map((value) => ({ name, value }))
  const [, own, rest = ''] = /^([\w-]+)(?:=|:(?!\/\/)) *(.*)$/s.exec(text) ?? []
  return own === undefined ? secretsInAddress(text).map((value) => ({ name, value })) : inNamed(own, rest)
}
