import { type CompletedCommand, type CompletedOption, unnamedCommand } from './table.ts';

/**
 * The script that completes this program's commands in PowerShell. For PowerShell from 5.1 on. Folders are left to
 * its own completion, which it does where there is no other.
 */
export function powershellScript(commands: readonly CompletedCommand[]): string {
  return `# artwork-mcp: completion for PowerShell
Register-ArgumentCompleter -Native -CommandName artwork-mcp -ScriptBlock {
  param($current, $line, $cursor)
  $commands = @{
${commands.map(({ name, summary }) => `    ${quoted(name)} = ${quoted(summary)}`).join('\n')}
  }
  $words = @{
${commands.flatMap(({ name, firstWord }) => (firstWord === 'folder' ? [] : [`    ${quoted(name)} = ${list(firstWord)}`])).join('\n')}
  }
  $options = @{
${commands.map(({ name, options }) => `    ${quoted(name)} = ${table(options)}`).join('\n')}
  }
  $values = @{
${[
  ...new Map(
    commands.flatMap(({ options }) => options.map((option) => [option.name, option] as const)),
  ).values(),
]
  .flatMap(({ name, value }) =>
    value === null ? [] : [`    ${quoted(`--${name}`)} = ${list(value === 'folder' ? [] : value)}`],
  )
  .join('\n')}
  }
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $command = ${quoted(unnamedCommand)}
  if ($before.Count -gt 1 -and $commands.ContainsKey($before[1])) { $command = $before[1] }
  $offered = @{}
  if ($before.Count -gt 1 -and $values.ContainsKey($before[-1])) {
    foreach ($value in $values[$before[-1]]) { $offered[$value] = $value }
  } elseif ($current.StartsWith('-')) {
    $offered = $options[$command]
  } elseif ($before.Count -eq 1) {
    $offered = $commands
  } elseif ($before.Count -eq 2 -and $words.ContainsKey($command)) {
    foreach ($word in $words[$command]) { $offered[$word] = $word }
  }
  $offered.GetEnumerator() | Where-Object { $_.Key.StartsWith($current) } | Sort-Object Key | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value)
  }
}`;
}

function table(options: readonly CompletedOption[]): string {
  return `@{ ${options.map(({ name, about }) => `${quoted(`--${name}`)} = ${quoted(about)}`).join('; ')} }`;
}

function list(words: readonly string[]): string {
  return `@(${words.map(quoted).join(', ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
