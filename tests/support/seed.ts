import fc from 'fast-check'

// What holds here holds everywhere: generated input is the same in each run, unless somebody asks for another. Shrinking
// a large document may take hours, so it has to be asked for too.
const { BOBBIN_SEED: seed = '1', BOBBIN_SHRINK: shrink } = process.env
fc.configureGlobal({ seed: Number(seed), endOnFailure: shrink === undefined })
