import { catalogue } from '../kit/words/catalogue.ts'

/** Complaints about settings. */
export const configWords = catalogue({
  // accounts
  noBotToken: 'SLACK_BOT_TOKEN is missing',
  botTokenRemedy: 'Copy it from "OAuth & Permissions" of your Slack app; it begins with xoxb-.',
  botTokenOfOtherKind: 'SLACK_BOT_TOKEN does not begin with xoxb-',
  appTokenRemedy: 'Make an app-level token with the scope connections:write under "Basic Information".',
  appTokenOfOtherKind: 'SLACK_APP_TOKEN does not begin with xapp-',
  intakeMissingRemedy: 'Set it (xapp-…) for Socket Mode, or SLACK_SIGNING_SECRET to receive requests over HTTP.',
  intakeMissing: 'SLACK_APP_TOKEN is missing',
  notHttpUrl: '{name} isn’t an http or https address',
  httpUrlRemedy: 'Correct it, or leave it out.',

  // load
  configDirUnreadable: 'the configuration directory {configDir} can’t be read: {reason}',
  configDirRemedy:
    'Let the user that runs Bobbin list and enter it, or have BOBBIN_CONFIG_DIR name the directory that you mean.',
  notPort: 'BOBBIN_PORT isn’t a port',
  portRemedy: 'Use a number from 0 (any free port) to 65535.',
  notLogLevel: 'BOBBIN_LOG_LEVEL isn’t a log level',
  logLevelRemedy: 'Use one of {levels}.',
  databaseUrlRemedy:
    'It looks like postgres://user:password@host:5432/database. In the password, %23 stands for # and %2F for /.',
  databaseUrlInvalid: '{name} isn’t the address of a PostgreSQL database',
  databaseUrlPercent: '{name} has a % that begins no character',
  databaseUrlPercentRemedy: 'Write a % in the password as %25.',
  quotedValue: '{name} begins and ends with a quotation mark',
  quotedValueRemedy: 'Leave both out: `docker run --env-file` takes them for part of the value.',
  noTimeZone: 'it has to be `machine`, or the name of a time zone such as Europe/Berlin',
  notNodeName: 'BOBBIN_NODE isn’t a valid name',
  nodeNameRemedy: 'Use up to 64 letters, digits, dots, _ and -.',
  unknownSettingRemedy: 'Remove it, or see config/ for the correct spelling.',
  fileNameRemedy: 'Call it {meant}.',

  // read file
  unreadableFileRemedy: 'Make the file readable, or remove it to use the shipped one.',
  brokenYamlRemedy: 'Correct the YAML at this place.',
  aliasesRemedy: 'Write the values out instead of using aliases.',
  misspeltRemedy: 'Did you mean {meant}?',
  missing: '{name} is missing',
  missingRemedy: 'Add it.',
  booleanRemedy: 'Write true or false, without quotation marks.',
  invalidOwnRemedy: 'Correct the value.',
  invalidValueRemedy: 'Correct the value; the shipped file in config/ shows one that works.',

  // references
  unsetReferenceRemedy: 'Set it, for example in .env.',
  shortSecretRemedy: 'Use a longer value, or leave it out.',

  // section variables
  sectionVariableRemedy: 'Correct it, or leave it out.',

  // section
  correctConfigRemedy: 'Correct it in config/{file}.',

  // slot figures
  notWhole: '{name} isn’t a whole number from {least} to {most}',
  notNumber: '{name} isn’t a number from {least} to {most}',
  numberRemedy: 'Use a number such as {example}.',
  notTokens: '{name} isn’t a number of tokens',
  tokensRemedy: 'Use a whole number such as 128000.',

  // slots
  modelIdRemedy: 'Set it to the id of the model, such as gpt-4o.',
  baseUrlRemedy: 'Use an address such as {openaiUrl}.',
  apiKeyRemedy: 'Set it, or {named} for a server that needs no key.',
  unsetVariableRemedy: 'Set {variable}, in .env for example.',
})
