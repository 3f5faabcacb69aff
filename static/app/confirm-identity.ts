import { signal } from '@preact/signals'
import { ApiError } from './api/errors.ts'

/** The callers that wait for the user to confirm; null when none does. The shell asks. */
export const question = signal<{ proved(): void; given_up(): void } | null>(null)

/**
 * Runs an action that needs a recent confirmation (docs/api/platform.md#confirmation). When the service asks for one, a
 * dialog asks for the password or a passkey, and the action is repeated. Throws the refusal when the user cancels.
 */
export async function confirmed<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFIRMATION_REQUIRED') throw error
    await new Promise<void>((proved, reject) => {
      question.value = { proved, given_up: () => reject(error) }
    })
    return act()
  }
}
