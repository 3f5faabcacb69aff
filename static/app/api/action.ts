import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { mutate, type MutationName, newKey, type RequestOf, type ResponseOf } from './calls.ts'
import { callKey } from '../../../src/shared/app-document.ts'
import { ApiError } from './errors.ts'
import { invalidate } from './query.ts'

/** Something that the user does on a page. It runs at most once at a time. */
export interface Action<Input, Output> {
  /** Resolves with null when the call was refused; `error` then has the reason. */
  run(input: Input): Promise<Output | null>
  busy: boolean
  error: ApiError | null
  clear(): void
}

interface ActionOptions<Output> {
  /** Prefixes of the cached answers that are out of date afterwards, such as `contacts/`. */
  invalidates?: readonly string[]
  done?(output: Output): void
}

/** Runs any call that changes something. */
export function useAction<Input, Output>(
  act: (input: Input) => Promise<Output>,
  { invalidates = [], done }: ActionOptions<Output> = {},
): Action<Input, Output> {
  const busy = useSignal(false)
  const error = useSignal<ApiError | null>(null)
  const run = async (input: Input): Promise<Output | null> => {
    if (busy.peek()) return null
    busy.value = true
    error.value = null
    try {
      const output = await act(input)
      invalidate(...invalidates)
      done?.(output)
      return output
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      error.value = thrown
      return null
    } finally {
      busy.value = false
    }
  }
  return { run, busy: busy.value, error: error.value, clear: () => (error.value = null) }
}

/**
 * Runs a mutation of the newsletter. When a call got no answer, the same input keeps its idempotency key, so a retry
 * has no second effect.
 */
export function useMutation<Name extends MutationName>(
  operation: Name,
  options: ActionOptions<ResponseOf<Name>> = {},
): Action<RequestOf<Name>, ResponseOf<Name>> {
  const intention = useRef<{ input: string; key: string } | null>(null)
  const action: Action<RequestOf<Name>, ResponseOf<Name>> = useAction(async (body) => {
    const input = callKey(operation, body)
    if (intention.current?.input !== input) intention.current = { input, key: newKey() }
    const { key } = intention.current
    try {
      const output = await mutate(operation, body, key)
      intention.current = null
      return output
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NO_ANSWER') error.again = () => void action.run(body)
      else intention.current = null
      throw error
    }
  }, options)
  return action
}
