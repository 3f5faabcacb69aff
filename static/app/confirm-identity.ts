import { signal } from '@preact/signals'
import { ApiError } from './api/errors.ts'

interface Question {
  proved(): void
  given_up(): void
}

/** The callers that wait for the user to confirm; null when none does. The shell asks. */
export const question = signal<Question | null>(null)

/** Ends the question: all who wait for it go on, or all give up. */
export function endQuestion(end: keyof Question): void {
  const asked = question.value
  question.value = null
  asked?.[end]()
}

/**
 * Runs an action that needs a recent confirmation (docs/api/platform.md#confirmation). When the service asks for one, a
 * dialog asks for the password or a passkey, and the action is repeated. One answer serves all actions that wait.
 * Throws the refusal when the user cancels.
 */
export async function confirmed<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFIRMATION_REQUIRED') throw error
    await new Promise<void>((proved, reject) => {
      const before = question.value
      question.value = {
        proved() {
          before?.proved()
          proved()
        },
        given_up() {
          before?.given_up()
          reject(error)
        },
      }
    })
    return act()
  }
}
