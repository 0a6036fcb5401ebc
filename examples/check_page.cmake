# Finds the text of the file SOURCE in the document PAGE.
file(READ ${PAGE} page)
file(READ ${SOURCE} source)
string(FIND "${page}" "```cpp\n${source}```" position)
if(position EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not show ${SOURCE} as it is")
endif()
