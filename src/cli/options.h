/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line as data. A command is one const table: its name, its options and
 * operands, and the function to run. Parsing, --help, man pages and completion all read
 * these tables, so they cannot contradict each other.
 */
#ifndef DLP_CLI_OPTIONS_H
#define DLP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_type {
    CLI_FLAG,   /* bool; takes no value */
    CLI_STRING, /* const char *, kept as typed */
    CLI_PATH,   /* const char *, the name of a file */
    CLI_CHOICE, /* const char *, one of choices */
    CLI_COUNT,  /* dlp_index, a whole number from min to max */
    CLI_REAL,   /* double, a finite number from min to max */
    CLI_LIST,   /* cli_list: the option may be typed several times */
} cli_type;

/* The values of an option that may be typed several times, as they were typed. */
enum { CLI_MOST_VALUES = 64 };
typedef struct cli_list {
    int n;
    const char *item[CLI_MOST_VALUES];
} cli_list;

/* A number that a header of the library defines as a macro, for the text of help. */
#define CLI_TEXT_OF(macro)   CLI_TEXT_OF_(macro)
#define CLI_TEXT_OF_(number) #number

/* The i-th of a list of words; NULL past the end of the list. */
typedef const char *cli_words(int i);

/* The word that another one is an alias for, or NULL. */
typedef const char *cli_synonym(const char *typed);

/* The name of the library's default. */
typedef const char *cli_usual(void);

/* One option. Tables of options end with an entry whose name is NULL. */
typedef struct cli_option {
    const char *name;     /* long name, without its dashes */
    char letter;          /* short name, 0 for none */
    cli_type type;        /* how the value is read */
    const char *value;    /* the name of the value in help; NULL for a flag */
    size_t offset;        /* of the field in the command's settings */
    const char *initial;  /* default, read like a typed value; NULL: zero */
    cli_usual *usual;     /* or a function that returns the default; NULL: none */
    bool of_library;      /* or the default is set by cli_command.defaults */
    cli_words *choices;   /* CLI_CHOICE: what the value may be */
    cli_synonym *synonym; /* CLI_CHOICE: other words for them; NULL: none */
    double min, max;      /* CLI_COUNT and CLI_REAL; both 0: any number */
    bool above;           /* CLI_REAL: min itself is not allowed */
    bool required;
    const char *help; /* one or two sentences */
} cli_option;

/* One operand: a word that is not an option. They are filled in order. */
typedef struct cli_operand {
    const char *name; /* in help: "CORPUS" */
    size_t offset;    /* of a const char * in the command's settings */
    bool optional;
    bool path;          /* the name of a file, for completion */
    cli_words *choices; /* likely words, for completion; NULL when any will do */
    char sign;          /* a character that the word must contain; 0: none. If it is
                           missing, a shell has split the word, */
    const char *quoted; /* and the message says this */
    const char *help;
} cli_operand;

/* What every command's settings begin with. */
typedef struct cli_common {
    bool help;
    bool quiet;
    bool verbose;
    const char *memory; /* "500M", or NULL */
} cli_common;

/* The options that fill a cli_common: every command has them. */
extern const cli_option cli_common_options[];

typedef struct cli_command {
    const char *name;                 /* as typed after the program: "unigram fit" */
    const char *summary;              /* half a sentence, no full stop */
    const char *description;          /* paragraphs separated by an empty line */
    const char *example;              /* lines to type, verbatim */
    const cli_operand *operands;      /* ends with a NULL name; may be NULL */
    const cli_option *options;        /* ends with a NULL name; may be NULL */
    size_t settings_size;             /* of a struct that begins with a cli_common */
    bool rewrites;                    /* --output may be an operand, which it extends */
    bool shares;                      /* its work, with other processes of mpirun */
    void (*defaults)(void *settings); /* fills in the library's defaults; may be NULL */
    int (*run)(const void *settings); /* returns an exit code */
} cli_command;

/* Commands that share their first word ("topics"). A command of one word ("version") is
   the only one in a group of the same name. Help does not show groups without a
   summary. */
typedef struct cli_command_group {
    const char *name;
    const char *summary;
    const cli_command *const *commands; /* NULL-terminated */
} cli_command_group;

/* Walks the two tables of a command as one: i = 0, 1, ... until NULL. */
const cli_option *cli_option_at(const cli_command *command, int i);

/* Fills in the defaults of all options. */
void cli_store_defaults(const cli_command *command, void *settings);

/* Fills settings (zeroed by the caller) from the defaults, then from the words. "--" ends
   the options. Returns 0, or CLI_MISUSE after saying on stderr what is wrong. With --help
   among the words, missing ones are not an error. */
int cli_parse(const cli_command *command, int count, const char *const *words,
              void *settings);

/* Reads the options before the first operand (those that precede the command) and returns
   how many words they used. */
int cli_parse_leading(const cli_command *command, int count, const char *const *words,
                      void *settings, int *used);

#endif
