/** The kinds of fields of an order's form, with what a person does with each and what is to become of it. */
import type { Locator, Page } from 'playwright-core'

/** What its inputs show, in their order. */
export type Shown = readonly (string | boolean)[]

type Act = (field: Locator, page: Page) => Promise<unknown>

export interface Widget {
  readonly schema: object
  readonly empty: Shown
  /** Beside it when it is required and empty. */
  readonly missing: string | undefined
  readonly fill: Act
  readonly shown: Shown
  /** When it shows the value again; by default the same. */
  readonly again?: Shown
  readonly stored: unknown
  readonly clear: Act
  /** Beside it when the seller's value was emptied; undefined: what is left is a value. */
  readonly cleared: string | undefined
  readonly wrong?: { readonly enter: Act; readonly message: string }
}

const typed =
  (text: string): Act =>
  field =>
    field.fill(text)
const emptied = typed('')
const fillIn = 'Fill in this field'

const text = (value: string, format?: string) => ({
  schema: { type: 'string', ...(format && { format }) },
  empty: [''],
  missing: fillIn,
  fill: typed(value),
  shown: [value],
  stored: value,
  clear: emptied,
  cleared: fillIn,
})

const button = (field: Locator, name: string) => field.getByRole('button', { name }).first()
const email = 'Enter an email address, such as name@example.com'
const address = 'Enter a whole address, such as https://example.com'
const whole = 'Enter a whole number, such as 12'
const lines = 'one line\nand another'

export const widgets: Readonly<Record<string, Widget>> = {
  text: {
    ...text('Ada'),
    schema: { type: 'string', maxLength: 5 },
    wrong: { enter: typed('Augusta'), message: 'Must have 5 or fewer characters' },
  },
  long_text: { ...text(lines), schema: { type: 'string', maxLength: 2000 } },
  email: {
    ...text('ada@people.example', 'email'),
    missing: email,
    cleared: email,
    wrong: { enter: typed('ada'), message: email },
  },
  link: { ...text('https://people.example/', 'uri'), missing: address, cleared: address },
  password: { ...text('a-secret', 'password'), cleared: undefined },
  date: {
    ...text('2027-01-31', 'date'),
    missing: 'Enter a whole date',
    cleared: 'Enter a whole date',
    wrong: {
      enter: async (field, page) => {
        await field.fill('')
        await field.focus()
        await page.keyboard.type('31')
      },
      message: 'Complete this, or clear it',
    },
  },
  moment: {
    ...text('2027-01-31T10:30', 'date-time'),
    stored: '2027-01-31T10:30:00.000Z',
    missing: 'Enter a whole date and time',
    cleared: 'Enter a whole date and time',
  },
  integer: {
    ...text('12'),
    schema: { type: 'integer', minimum: 1 },
    stored: 12,
    missing: whole,
    cleared: whole,
    wrong: { enter: typed('12,5'), message: whole },
  },
  number: {
    ...text('12,5'),
    schema: { type: 'number' },
    again: ['12.5'],
    stored: 12.5,
    missing: 'Enter a number, such as 12.5',
    cleared: 'Enter a number, such as 12.5',
    wrong: { enter: typed('1,234'), message: 'Enter 1234 or 1.234: “1,234” can mean either' },
  },
  box: {
    schema: { type: 'boolean' },
    empty: [false],
    missing: undefined,
    fill: field => field.check(),
    shown: [true],
    stored: true,
    clear: field => field.uncheck(),
    cleared: undefined,
  },
  consent: {
    schema: { type: 'boolean', const: true },
    empty: [false],
    missing: 'Tick this box to continue',
    fill: field => field.check(),
    shown: [true],
    stored: true,
    clear: field => field.uncheck(),
    cleared: 'Tick this box to continue',
    wrong: { enter: field => field.uncheck(), message: 'Tick this box to continue' },
  },
  choice: {
    schema: { type: 'string', enum: ['Europe', 'Asia'] },
    empty: ['Choose one'],
    missing: 'Choose an option',
    fill: field => field.selectOption('Asia'),
    shown: ['Asia'],
    stored: 'Asia',
    clear: field => field.selectOption('Choose one'),
    cleared: 'Choose an option',
  },
  choices: {
    schema: { type: 'array', minItems: 1, uniqueItems: true, items: { enum: ['Mon', 'Wed', 'Sun'] } },
    empty: [false, false, false],
    missing: 'Choose at least one',
    fill: field => field.getByLabel('Wed').check(),
    shown: [false, true, false],
    stored: ['Wed'],
    clear: field => field.getByLabel('Wed').uncheck(),
    cleared: 'Choose at least one',
  },
  list: {
    schema: { type: 'array', minItems: 1, items: { type: 'string' } },
    empty: [],
    missing: 'Add at least one',
    fill: async field => {
      await button(field, 'Add').click()
      await field.getByRole('textbox').fill('one')
    },
    shown: ['one'],
    stored: ['one'],
    clear: field => button(field, 'Remove').click(),
    cleared: 'Add at least one',
    wrong: {
      // One row is left empty, and one emptied.
      enter: async field => {
        for (const _ of [1, 2]) await button(field, 'Add').click()
        for (const text of ['two', '']) await field.getByRole('textbox').last().fill(text)
      },
      message: 'Fill in this row, or remove it',
    },
  },
  group: {
    schema: {
      type: 'object',
      required: ['host'],
      properties: { host: { type: 'string', title: 'Host' }, port: { type: 'integer', title: 'Port' } },
    },
    empty: ['', ''],
    missing: fillIn,
    fill: async field => {
      await field.getByLabel('Host').fill('a.example')
      await field.getByLabel('Port').fill('443')
    },
    shown: ['a.example', '443'],
    stored: { host: 'a.example', port: 443 },
    clear: field => field.getByLabel('Host').fill(''),
    cleared: fillIn,
    wrong: { enter: field => field.getByLabel('Port').fill('many'), message: whole },
  },
  rows: {
    schema: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['login'],
        properties: {
          login: { type: 'string', title: 'Login' },
          admin: { type: 'boolean', title: 'Administrator' },
        },
      },
    },
    empty: [],
    missing: 'Add at least one',
    fill: async field => {
      await button(field, 'Add').click()
      await field.getByLabel('Login').fill('ada')
      await field.getByLabel('Administrator').check()
    },
    shown: ['ada', true],
    stored: [{ login: 'ada', admin: true }],
    clear: field => field.getByLabel('Login').fill(''),
    cleared: fillIn,
    wrong: { enter: field => button(field, 'Add').click(), message: fillIn },
  },
  either: {
    schema: {
      oneOf: [
        {
          type: 'object',
          title: 'By card',
          required: ['kind', 'holder'],
          properties: { kind: { const: 'card' }, holder: { type: 'string', title: 'Card holder' } },
        },
        {
          type: 'object',
          title: 'By invoice',
          required: ['kind', 'reference'],
          properties: { kind: { const: 'invoice' }, reference: { type: 'string', title: 'Order number' } },
        },
      ],
    },
    empty: ['card', ''],
    missing: fillIn,
    fill: async (_field, page) => {
      await page.locator('#values_either__oneof_select').selectOption('By invoice')
      await page.getByLabel('Order number').fill('PO-1')
    },
    shown: ['invoice', 'PO-1'],
    stored: { kind: 'invoice', reference: 'PO-1' },
    clear: (_field, page) => page.getByLabel('Order number').fill(''),
    cleared: fillIn,
  },
  json: {
    ...text(JSON.stringify({ a: 'b' }, null, 2)),
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    stored: { a: 'b' },
    wrong: { enter: typed('{'), message: 'Is not valid JSON' },
  },
}
