/* SPDX-License-Identifier: MIT */
/*
 * assay completion: a script for a shell. At each key the script runs the
 * program that stands on the command line, which prints the candidates
 * (completion.h). An installed script therefore fits every version of assay.
 */
#include <string.h>

#include "cli/context.h"

/*
 * Readline splits words at ':' and '=', the function joins them again: what no
 * blank separates on the line is one word. Of a candidate only the part behind
 * the last of these characters is handed out.
 */
static const char bash[] =
"# bash completion for assay\n"
"_assay()\n"
"{\n"
"	local -a words=() found=()\n"
"	local rest=${COMP_LINE:0:COMP_POINT} part cut i value why files\n"
"	for ((i = 0; i <= COMP_CWORD; i++)); do\n"
"		part=${rest#\"${rest%%[![:blank:]]*}\"}\n"
"		if ((i == 0)) || [[ $part != \"$rest\" ]]; then\n"
"			words+=('')\n"
"		fi\n"
"		rest=$part part=${COMP_WORDS[i]}\n"
"		((i < COMP_CWORD)) || part=$rest\n"
"		words[-1]+=$part rest=${rest#\"$part\"}\n"
"	done\n"
"	part=${words[-1]} cut=${words[-1]}\n"
"	[[ $COMP_WORDBREAKS == *:* ]] || cut=${cut//:/_}\n"
"	[[ $COMP_WORDBREAKS == *=* ]] || cut=${cut//=/_}\n"
"	cut=${cut%\"${cut##*[:=]}\"} cut=${#cut}\n"
"	while IFS=$'\\t' read -r value why; do\n"
"		files=\n"
"		case $value in\n"
"		:files) files=-f ;;\n"
"		:folders) files=-d ;;\n"
"		:programs) files=-c ;;\n"
"		*)\n"
"			value=${value:cut}\n"
"			[[ $value != *[!][:alnum:]_.,:=+/@%{}[-]* ]] ||\n"
"				printf -v value %q \"$value\"\n"
"			found+=(\"$value\") ;;\n"
"		esac\n"
"		[[ $files ]] || continue\n"
"		part=${part#\"$why\"}\n"
"		((cut < ${#why})) && cut=0 || cut=$((cut - ${#why}))\n"
"		compopt -o filenames 2>/dev/null\n"
"		while IFS= read -r value; do\n"
"			found+=(\"${value:cut}\")\n"
"		done < <(compgen $files -- \"$part\")\n"
"	done < <(\"${words[0]/#\\~/$HOME}\" --complete \"${words[@]:1}\" \\\n"
"		2>/dev/null)\n"
"	COMPREPLY=(\"${found[@]}\")\n"
"	[[ ${#found[@]} != 1 || $found != *[:=] ]] ||\n"
"		compopt -o nospace 2>/dev/null\n"
"}\n"
"complete -F _assay assay\n";

static const char zsh[] =
"#compdef assay\n"
"\n"
"_assay()\n"
"{\n"
"	local row value why\n"
"	local -a found shown open open_shown\n"
"	for row in ${(f)\"$(${(Q)words[1]/#\\~/$HOME} --complete \\\n"
"		\"${(@Q)words[2,CURRENT-1]}\" \"${(Q)IPREFIX}${(Q)PREFIX}\" \\\n"
"		2>/dev/null)\"}; do\n"
"		value=${row%%$'\\t'*} why=${row#*$'\\t'}\n"
"		case $value in\n"
"		:files) compset -P \"${(b)why}\"; _files ;;\n"
"		:folders) compset -P \"${(b)why}\"; _files -/ ;;\n"
"		:programs) _command_names -e; _files -g '*(*)' ;;\n"
"		*[:=]) open+=($value) open_shown+=(\"$value  $why\") ;;\n"
"		*) found+=($value) shown+=(\"$value  $why\") ;;\n"
"		esac\n"
"	done\n"
"	compadd -l -d shown -a found\n"
"	compadd -S '' -l -d open_shown -a open\n"
"}\n"
"\n"
"if [ \"$funcstack[1]\" = _assay ]; then\n"
"	_assay \"$@\"\n"
"else\n"
"	compdef _assay assay\n"
"fi\n";

static const char fish[] =
"# fish completion for assay\n"
"function __assay_complete\n"
"	set -l words (commandline -opc)\n"
"	set -l last (commandline -ct)\n"
"	for row in ($words[1] --complete $words[2..-1] \"$last\" 2>/dev/null)\n"
"		set -l part (string split -m 1 \\t -- $row)\n"
"		set -l path (string sub -s (math 1 + (string length -- \\\n"
"			\"$part[2]\")) -- $last)\n"
"		switch $part[1]\n"
"			case :files\n"
"				string replace -r '^' -- \"$part[2]\" \\\n"
"					(__fish_complete_path \"$path\")\n"
"			case :folders\n"
"				string replace -r '^' -- \"$part[2]\" \\\n"
"					(__fish_complete_directories \"$path\")\n"
"			case :programs\n"
"				__fish_complete_command\n"
"			case '*'\n"
"				echo -- $row\n"
"		end\n"
"	end\n"
"end\n"
"complete -c assay -f -a '(__assay_complete)'\n";

static const struct { const char *name, *script; } shells[] = {
	{ "bash", bash }, { "zsh", zsh }, { "fish", fish },
};

static int run(struct context *context)
{
	const struct settings *s = &context->settings;

	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++)
		if (s->args && !strcmp(s->arg[0], shells[i].name)) {
			fputs(shells[i].script, report_file(context->report));
			return EXIT_OK;
		}
	return complain_text("completion", EXIT_USAGE, "which shell?\n  try: "
			     "assay completion bash, zsh or fish");
}

static const struct option *const options[] = {
	output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay completion bash >/etc/bash_completion.d/assay",
	  "for all users" },
	{ ". <(assay completion bash)", "for this shell only" },
	{ "assay completion zsh >~/.zsh/functions/_assay",
	  "for zsh, if fpath has that folder" },
	{ "assay completion fish >~/.config/fish/completions/assay.fish",
	  "for fish" },
	{ "assay --complete run chase --on sim:cortex-a7",
	  "the candidates for the last word" },
	{ 0 }
};

const struct command completion_command = {
	.name = "completion",
	.group = "more",
	.summary = "print a completion script for bash, zsh or fish",
	.arguments = "bash|zsh|fish",
	.args = 1,
	.options = options,
	.text = "Completed are commands, subcommands, options, and values: "
		"CPUs, events, kernels with their options, formulas, recipes, "
		"places to count, stored runs, formats, files.\n\n"
		"The script asks 'assay --complete WORD...' at each key, with "
		"the words behind 'assay'. The last word is the one to "
		"complete, and may be empty. The answer has a line for each "
		"candidate: the word, a tab, an explanation. A line ':files', "
		"':folders' or ':programs', a tab and a text asks the shell "
		"for its own candidates behind that text. Nothing is written, "
		"and the database of runs is read only if there is one.",
	.example = examples,
	.run = run,
};
