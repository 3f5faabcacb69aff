/** Questions to another thread that wait for their answers, each known by its number. */
interface Questions {
  /** @param tell sends the question with its number */
  ask<T>(tell: (id: number) => void): Promise<T>
  answered(id: number, answer: unknown): void
  failed(id: number, error: Error): void
}

export function createQuestions(): Questions {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last_id = 0
  const taken = (id: number): PromiseWithResolvers<unknown> => {
    const question = waiting.get(id)!
    waiting.delete(id)
    return question
  }
  return {
    ask<T>(tell: (id: number) => void): Promise<T> {
      const id = ++last_id
      const question = Promise.withResolvers<unknown>()
      waiting.set(id, question)
      tell(id)
      return question.promise as Promise<T> // the question decides what its answer is
    },
    answered: (id, answer) => taken(id).resolve(answer),
    failed: (id, error) => taken(id).reject(error),
  }
}

/** The text of an error, which another thread throws again. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
