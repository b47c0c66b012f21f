/** `production`, a path, an address: values of variables for programs that aren't keys. */
export const isSetting = (name: string, value: string): boolean =>
  !/key|token|secret|pass|pwd|cred|auth/i.test(name) && !/^(?=.*\d)(?=.*[a-z])[\w+=.-]{20,}$/i.test(value)
