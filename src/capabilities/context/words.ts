import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about context: answers to commands, complaints, findings. */
export const contextWords = catalogue({
  // titles of calls
  lookingBack: 'Looking into earlier messages',
  makingRoom: 'Making room in the context',
  summarising: 'Summarising {path}',
  summarisingText: 'Summarising a text',

  // commands
  cannotSummarise: 'The practice model can’t summarise.',
  cannotSummariseRemedy: 'Set up a model first.',
  unsent: 'Here the model is sent only the latest messages of a thread, and no summary.',
  unsentRemedy: 'Whoever runs the bot can change that with `context.window: tokens`.',
  compactionBegun: 'I’m summarising the older messages. I’ll tell you here when that’s done.',
  resultsPruned: 'Long results before number {prunedTo} are left out.',

  contextSummary: 'how much of this thread the model is sent, in tokens',
  compactSummary: 'summarises older messages for the model; the history stays',
  standing: 'Context: about {total, number} of {budget, number} tokens ({share} %); `context` shows what it’s made of',
  contextOf: '**Context** of {model}: about {total, number} of {budget, number} tokens ({share} %)',
  messagesBefore: 'Messages before number {from} are {how, select, summary {sent as a summary} other {left out}}.',

  // What became of it
  stillCompacting: 'The summary is still being written. It takes effect at a later step.',
  nothingToCompact: 'There isn’t enough to summarise yet.',
  noSummary: 'The model couldn’t write a summary. When the context is full, older messages will be left out.',
  size: '{messages, plural, one {# message} other {# messages}}, about {tokens, number} tokens ({share} %)',
  leftOut: 'I left out older messages. Before: {before}. After: {after}. The history itself is unchanged.',
  summarised:
    'I summarised older messages ({strategy}). Before: {before}. After: {after}. The history itself is unchanged.',

  // what a summary isn't of
  onlyBeginning: 'Only the beginning was summarised, because the text is too long.',
  lineCut: 'Of a line that is too long, only the beginning was read.',

  notSummarised: 'It couldn’t be summarised: {why}.',
  jobEnded: 'the job was ended',
  notSummarisedRemedy: 'Try again later, or read it in parts.',
})
