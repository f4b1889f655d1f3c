import { expect, test } from 'vitest'
import { statementIn } from '../src/contestants/limit/statement-log.ts'

test('the latest statement of a name is read from the log, with its parameters', () => {
  const log = [
    'LOG:  execute aa1: /* offers.insert_offers */',
    '\tselect $1, $2',
    "DETAIL:  Parameters: $1 = 'first', $2 = NULL",
    'LOG:  execute aa1: /* offers.insert_offers */',
    '\tselect $1,',
    '\t$2',
    `DETAIL:  Parameters: $1 = '[{"name": "O''Brien, $2"}]', $2 = NULL`,
    'LOG:  execute aa2: /* offers.other */ select $1',
    "DETAIL:  Parameters: $1 = 'x'",
  ]
  expect(statementIn(log, 'offers.insert_offers')).toEqual({
    text: '/* offers.insert_offers */\nselect $1,\n$2',
    parameters: [`[{"name": "O'Brien, $2"}]`, null],
  })
  expect(statementIn(log, 'offers.unknown')).toBeUndefined()
})
