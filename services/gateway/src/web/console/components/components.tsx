import { CommandLines } from '../forms/command-lines-view.tsx'
import type { FieldSpec } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages } from '../shell/scene.ts'
import { Icon } from '../../kit/ui/icon.tsx'
import { type IconName, icons } from '../../kit/ui/icons.ts'
import { Table } from '../ui/list.tsx'
import { Action, Badge, Card, Copied, Empty, Fact, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { colours, spaces, types } from './tokens.ts'

const fields: readonly FieldSpec[] = [
  { name: 'text', label: 'Text', hint: 'A hint says what to enter, and what an empty field means.' },
  { name: 'wrong', label: 'With a problem' },
  { name: 'number', label: 'Number', kind: 'number', isOptional: true },
  { name: 'moment', label: 'Moment', kind: 'moment', isOptional: true },
  {
    name: 'select',
    label: 'Choice of one',
    kind: 'select',
    choices: [
      ['a', 'This'],
      ['b', 'That'],
    ],
  },
  {
    name: 'checks',
    label: 'Choice of several',
    kind: 'checks',
    choices: [
      ['a', 'This'],
      ['b', 'That'],
    ],
  },
  {
    name: 'grouped',
    label: 'Choice of several, in groups',
    kind: 'checks',
    choices: [
      ['c', 'All', 'First group'],
      ['d', 'This', 'First group'],
      ['e', 'That', 'Second group'],
    ],
  },
  { name: 'check', label: 'Yes or no', kind: 'check' },
  { name: 'lines', label: 'Lines', kind: 'lines', rows: 2, isOptional: true },
]

export function componentPages({ get }: ConsolePages) {
  get('/components', async scene =>
    scene.show(
      <ConsolePage scene={scene} title="Components">
        <PageHead
          title="Components"
          text="Tokens stand in assets/tokens.css, components in console/ui and console/forms."
        >
          <Action href="#buttons" look="main" icon="plus">
            Main action
          </Action>
          <Action href="#buttons">Another</Action>
          <Action href="#buttons" look="danger">
            Dangerous
          </Action>
        </PageHead>
        <div class="two">
          <Card name="colours" title="Colours">
            <ul class="swatches">
              {colours.map(name => (
                <li key={name}>
                  <svg viewBox="0 0 64 24" aria-hidden="true">
                    <rect class={`of-${name}`} width="64" height="24" rx="4" />
                  </svg>
                  <code>{name}</code>
                </li>
              ))}
            </ul>
          </Card>
          <Card name="type" title="Type and spacing">
            {types.map(name => (
              <p key={name} class={`of-${name}`}>
                Sizes of type: <code>{name}</code>
              </p>
            ))}
            {spaces.map(name => (
              <p key={name} class="space-row">
                <span class={`of-${name}`} /> <code>{name}</code>
              </p>
            ))}
          </Card>
          <Card name="badges" title="Badges, facts, times">
            <p class="actions">
              <Badge look="good">Good</Badge>
              <Badge look="waits">Waits</Badge>
              <Badge look="bad">Bad</Badge>
              <Badge look="quiet">Quiet</Badge>
            </p>
            <dl class="facts">
              <Fact label="Copied">
                <Copied text={scene.workspace.id} label="Copy the id" />
              </Fact>
              <Fact label="When">
                <When at={scene.now - 3600} now={scene.now} />
              </Fact>
            </dl>
            <p class="notice">A notice: what was done.</p>
            <p class="warning">A warning: what needs attention.</p>
          </Card>
          <Card name="icons" title="Icons">
            <ul class="swatches">
              {(Object.keys(icons) as IconName[]).map(name => (
                <li key={name}>
                  <Icon name={name} /> <code>{name}</code>
                </li>
              ))}
            </ul>
          </Card>
        </div>
        <Card name="fields" title="Fields">
          <div class="grid-of-fields">
            <Fields
              fields={fields}
              values={{ wrong: 'too long for this field', select: 'a', 'checks.a': 'on' }}
              problems={{ wrong: 'Must have at most 20 characters.' }}
            />
          </div>
        </Card>
        <Card name="table" title="Table">
          <Table
            label="An example of a table"
            items={[1, 2]}
            keyOf={String}
            columns={[
              { label: 'Name', value: one => <a href="#table-title">{`Item ${one}`}</a> },
              { label: 'Number', isNumber: true, value: one => one * 1000 },
              { label: 'When', value: one => <When at={scene.now - one * 90_000} now={scene.now} /> },
            ]}
          />
        </Card>
        <Card name="empty" title="Empty">
          <Empty icon="tag" title="Nothing here" action={{ href: '#empty-title', label: 'What to do then' }}>
            What would be here.
          </Empty>
        </Card>
        <CommandLines
          call={{
            method: 'GET',
            url: `${scene.apiUrl}/offers`,
            workspace: scene.workspace.id,
            svc: ['offers', 'list'],
          }}
        />
      </ConsolePage>,
    ),
  )
}
