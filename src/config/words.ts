import { catalogue } from '../kit/words/catalogue.ts'

/** Complaints about settings. */
export const configWords = catalogue({
  // accounts
  slackBotTokenMissing: 'SLACK_BOT_TOKEN is missing',
  copyFromOauthPermissions: 'Copy it from "OAuth & Permissions" of your Slack app; it begins with xoxb-.',
  slackBotTokenDoes: 'SLACK_BOT_TOKEN does not begin with xoxb-',
  makeAppLevelToken: 'Make an app-level token with the scope connections:write under "Basic Information".',
  slackAppTokenDoes: 'SLACK_APP_TOKEN does not begin with xapp-',
  setXappSocketMode: 'Set it (xapp-…) for Socket Mode, or SLACK_SIGNING_SECRET to receive requests over HTTP.',
  slackAppTokenMissing: 'SLACK_APP_TOKEN is missing',
  leaveOutOrUse: 'Leave it out, or use an http address.',

  // load
  correctBobbinConfigDir: 'Correct BOBBIN_CONFIG_DIR, or leave it out to use the shipped configuration.',
  useNumberFrom0: 'Use a number from 0 (any free port) to 65535.',
  useOne: 'Use one of {logLevels}.',
  looksLikePostgresUser: 'It looks like postgres://user:password@host:5432/database. Leave it out to use SQLite.',
  databaseUrlIsntAddress: 'DATABASE_URL isn’t the address of a PostgreSQL database',
  databaseUrlPercent: 'DATABASE_URL has a % that begins no character',
  encodePercent: 'Write a % in the password as %25.',
  useUp64Letters: 'Use up to 64 letters, digits, dots, _ and -.',
  removeOrSeeConfig: 'Remove it, or see config/ for the correct spelling.',
  callIt: 'Call it {meant}.',

  // read file
  makeFileReadableOr: 'Make the file readable, or remove it to use the shipped one.',
  correctYamlPlace: 'Correct the YAML at this place.',
  writeValuesOutInstead: 'Write the values out instead of using aliases.',
  addOrCorrectName: 'Add it, or correct the name of the tool.',
  didYouMean: 'Did you mean {meant}?',
  correctValueShippedFile: 'Correct the value; the shipped file in config/ shows one that works.',

  // references
  setExampleEnv: 'Set it, for example in .env.',
  useLongerValueOr: 'Use a longer value, or leave it out.',

  // section variables
  correctOrLeaveOut: 'Correct it, or leave it out.',

  // section
  correctConfig: 'Correct it in config/{file}.',

  // slot figures
  useNumberSuch: 'Use a number such as {example}.',
  useNumberTokensSuch: 'Use a number of tokens, such as 128000.',

  // slots
  setIdModelSuch: 'Set it to the id of the model, such as gpt-4o.',
  useAddressSuchAs: 'Use an address such as {openaiUrl}.',
  setOrServerNeeds: 'Set it, or {named} for a server that needs no key.',
  setEnvExample: 'Set {variable}, in .env for example.',
})
