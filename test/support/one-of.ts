/** One of several choices for the test of this name. Each run and each order of tests chooses the same. */
export function oneOf<T>(name: string, choices: readonly T[]): T {
  return choices[Number(Bun.hash(name) % BigInt(choices.length))]!
}
