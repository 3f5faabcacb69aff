import { mutate, read } from '../../api/calls.ts'
import { ApiError } from '../../api/errors.ts'

/**
 * Makes a connection that works the default of a project without one, which could send nothing otherwise. Answers
 * whether it did. A refusal is none of what was asked for: the page still offers to make it the default.
 */
export async function becomesFirstDefault(connection_id: number): Promise<boolean> {
  try {
    const { settings } = await read('settings/get', {})
    if (settings.default_connection_id !== null) return false
    await mutate('settings/update', { default_connection_id: connection_id })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return false
  }
}
