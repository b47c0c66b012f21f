import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about skills: answers to commands, complaints, findings. */
export const skillsWords = catalogue({
  // about a skill that somebody sent
  aboutSkill: 'About this skill',
  skillCalled: 'Skill: {name}',
  saysItIsFor: 'It says it’s for: {description}',
  license: 'License: {license}',
  replacesShipped: 'It takes the place of the skill that comes with Bobbin.',
  noScripts: 'It has no scripts.',
  scripts: 'Scripts: {count}. Each asks before it runs.',
  files: 'Files:',

  // a name that no skill has
  noSkillHere: 'There is no skill {name} here.',
  didYouMean: 'Did you mean {name}?',
  thereAre: 'There are: {names}.',
  thereAreNone: 'There are none.',

  // titles of calls
  loading: 'Loading the skill {name}',
  running: 'Running {script} of the skill {skill}',
  installing: 'Installing the skill in {path}',
  installingPackages: 'Installing packages for the skill {skill}',

  // change skills
  installedRestartBobbinUse: 'Installed {name} in {folder}. Restart Bobbin to use it.',
  pathDoesNotExist: 'Path does not exist: {source}.',
  nameZipOrFolder: 'Name a zip or a folder.',
  onlyYourOwnCan: 'Only your own can be removed; those that come with Bobbin are switched off in config/skills.yaml.',
  noSkill: 'There is no skill {name} in {config}.',
  removedRestartBobbinStop: 'Removed {name}. Restart Bobbin to stop using it.',

  // direct messages
  directMessagesAlone: 'In a direct message, a skill can be installed or changed only for that direct message.',
  useScopeChannel: 'Use the scope `channel`.',
  leaveOutEverywhere: 'Leave out `everywhere`.',

  // commands
  changeSkillsThreadChannel: 'Change skills in a thread of the channel: mention me there with this command.',
  noSkillsHereYet: 'There are no skills here yet. Send me a zip with one, or a SKILL.md.',
  skillsHereWriteName: 'The skills here. Write a name with @ to load it into a thread:',
  switchedOffButStill: 'Turned off, but you can still load these with @ and their name:',
  versionBy: '- Version {version}, by {name}',
  ownVersion: '- Its own version: {version}',
  breaksRulesSpecificationWorks:
    '- It breaks {count, plural, one {# rule} other {# rules}} of the specification, and works all the same.',
  nothingDoNoEarlier: 'Nothing to do: {scope}, {name} has no earlier version.',
  removedSkillsBackBrings: 'Removed {name} {place}. `skills back {name}` brings it back.',

  // packages
  loadSkillAgain: 'Load the skill again.',
  theyInstalledAlready: 'They’re already installed.',
  theyTakeBytesMay: 'They take {bytesUsed} bytes; {bytes} are allowed.',
  installedWhatNamesScripts: 'Installed what {file} of {name} names. Its scripts find it, in all threads.',
  noSandboxHereInstall: 'There is no sandbox here to install packages in.',
  installBubblewrap: 'Install bubblewrap.',
  tookLongerThanMs: 'It took longer than {timeoutMs} ms.',
  packagesCouldNotInstalled: 'The packages couldn’t be installed. {how} {said}',
  packagesLeftNoFolder: 'The packages weren’t kept: their installation put a link or a file where {path} should be.',
  tryWithoutThemOr: 'Try without them, or tell people.',

  // read package
  moreThanBytes: 'It has more than {bytes} bytes.',
  askSmallerOne: 'Ask for a smaller one.',
  sendZipOneSkill: 'Send a zip with one skill in it: a folder with a SKILL.md, and what belongs to it.',
  noSkillMdTop: 'This has no SKILL.md at its top.',
  skillCantUsed: 'This skill can’t be used. {why}',
  correctSkillMd: 'Correct its SKILL.md.',
  renameIt: 'Rename it.',

  // routes
  useAnotherMethod: 'Use another method.',

  // terminal
  cantUsedLike: 'It can’t be used like this.',
  canUsedAllSame: 'It can be used all the same.',
  itBreaks: 'It breaks {count}.',
  missingRequiredFileSkill: 'Missing required file: SKILL.md.',

  // what commands do, in the list of `help`
  commandSummary: 'the skills of this channel; with a name, more about one',

  sayName: 'Say `skills` and a name, such as `skills pdf` or `skills off pdf`.',
})
